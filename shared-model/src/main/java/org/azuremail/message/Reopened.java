package org.azuremail.message;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The recipients that a reopening is about, as long as it has not finished. */
public sealed interface Reopened {

    /** Returns whether it is about a recipient of this folded address, who has this outcome. */
    boolean concerns(String folded, Outcome outcome);

    /** As it is in the message's row. */
    String stored();

    record Address(String folded) implements Reopened {

        private static final String STORED = "address:";

        @Override
        public boolean concerns(String other, Outcome outcome) {
            return other.equals(folded);
        }

        @Override
        public String stored() {
            return STORED + folded;
        }
    }

    /** All who have one of these outcomes; nobody whose mail was sent. */
    record Outcomes(Set<Outcome> wanted) implements Reopened {

        private static final String STORED = "outcomes:";

        public Outcomes {
            Set<Outcome> unsent = EnumSet.noneOf(Outcome.class);
            unsent.addAll(wanted);
            unsent.remove(Outcome.SENT);
            wanted = Collections.unmodifiableSet(unsent);
        }

        @Override
        public boolean concerns(String folded, Outcome outcome) {
            return wanted.contains(outcome);
        }

        @Override
        public String stored() {
            return STORED + wanted.stream().map(Outcome::name).collect(Collectors.joining(" "));
        }
    }

    /** The stored form; {@code null} for nothing. */
    static @Nullable Reopened read(String stored) {
        List<String> about = List.of(stored.substring(stored.indexOf(':') + 1).split(" "));
        return stored.isEmpty()
                ? null
                : stored.startsWith(Address.STORED)
                        ? new Address(stored.substring(Address.STORED.length()))
                        : new Outcomes(Arrays.stream(Outcome.values())
                                .filter(outcome -> about.contains(outcome.name()))
                                .collect(Collectors.toSet()));
    }
}
