package org.azuremail.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.jspecify.annotations.Nullable;

/**
 * Walks the index of messages that are not final, in order of date, then creation, so that only the rows to be shown
 * are read.
 */
final class ActiveWalk {

    private ActiveWalk() {}

    private record Position(Instant due, MessageRef ref) {

        private static final Comparator<Position> ORDER =
                Comparator.comparing(Position::due).thenComparing(Position::ref);

        static Position of(ActiveEntry entry) {
            return new Position(entry.due(), entry.ref());
        }

        static Position read(String cursor) {
            int end = cursor.lastIndexOf('.');
            try {
                return new Position(
                        Instant.parse(cursor.substring(0, Math.max(end, 0))),
                        new MessageRef(Long.parseLong(cursor.substring(end + 1))));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("not a cursor", e);
            }
        }

        String text() {
            return due + "." + ref;
        }
    }

    /**
     * Returns the entries after a cursor; {@code null} stands before the first.
     *
     * @throws IllegalArgumentException when the cursor is invalid
     */
    static List<ActiveEntry> after(@Nullable String cursor, List<ActiveEntry> index) {
        Position shown = cursor == null ? null : Position.read(cursor);
        return index.stream()
                .filter(entry -> shown == null || Position.ORDER.compare(Position.of(entry), shown) > 0)
                .sorted(Comparator.comparing(Position::of, Position.ORDER))
                .toList();
    }

    static String cursor(ActiveEntry last) {
        return Position.of(last).text();
    }
}
