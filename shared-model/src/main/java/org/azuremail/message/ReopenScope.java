package org.azuremail.message;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The recipients of a reopening, kept until it has finished. */
public sealed interface ReopenScope {

    /** Returns whether the reopening includes a recipient with this folded address, outcome and generation. */
    boolean includes(String folded, Outcome outcome, int generation);

    /** Returns the form in the message's row. */
    String stored();

    /**
     * @param latest the generation of the outcome on which the decision rests; a recipient with a later outcome is
     *     not included
     */
    record Address(String folded, int latest) implements ReopenScope {

        private static final String STORED = "address:";
        private static final String STORED_UP_TO = "address-up-to:";

        public Address(String folded) {
            this(folded, Integer.MAX_VALUE);
        }

        @Override
        public boolean includes(String other, Outcome outcome, int generation) {
            return other.equals(folded) && generation <= latest;
        }

        @Override
        public String stored() {
            return latest == Integer.MAX_VALUE ? STORED + folded : STORED_UP_TO + latest + ":" + folded;
        }

        private static Address readUpTo(String stored) {
            String[] parts = stored.split(":", 3);
            return new Address(parts[2], Integer.parseInt(parts[1]));
        }
    }

    /** All recipients with one of these outcomes, never those with outcome Sent. */
    record Outcomes(Set<Outcome> wanted) implements ReopenScope {

        private static final String STORED = "outcomes:";

        public Outcomes {
            Set<Outcome> unsent = EnumSet.noneOf(Outcome.class);
            unsent.addAll(wanted);
            unsent.remove(Outcome.SENT);
            wanted = Collections.unmodifiableSet(unsent);
        }

        @Override
        public boolean includes(String folded, Outcome outcome, int generation) {
            return wanted.contains(outcome);
        }

        @Override
        public String stored() {
            return STORED + wanted.stream().map(Outcome::name).collect(Collectors.joining(" "));
        }
    }

    /** Reads the stored form; returns {@code null} for an empty text. */
    static @Nullable ReopenScope read(String stored) {
        if (stored.startsWith(Address.STORED)) {
            return new Address(stored.substring(Address.STORED.length()));
        }
        if (stored.startsWith(Address.STORED_UP_TO)) {
            return Address.readUpTo(stored);
        }
        List<String> about = List.of(stored.substring(stored.indexOf(':') + 1).split(" "));
        return stored.isEmpty()
                ? null
                : new Outcomes(Arrays.stream(Outcome.values())
                        .filter(outcome -> about.contains(outcome.name()))
                        .collect(Collectors.toSet()));
    }
}
