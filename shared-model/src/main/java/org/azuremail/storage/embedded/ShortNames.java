package org.azuremail.storage.embedded;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The names of properties that occur in millions of rows, each as one byte of 1 to 127. The meaning of a byte is part
 * of the file's format. No name ever changes its place, and new names are appended.
 */
final class ShortNames {

    /** The byte for a name without a short form. The name itself follows it. */
    static final byte NONE = 0;

    /** The properties of email rows, outcomes, subscribers, ranges and shards, in this order. */
    private static final List<String> NAMES = List.of("""
            MessageRef ScheduledDate SubjectLine ListName FromEmailAddress EmailAddress SubscriberGUID
            EmailSent Name Attributes Generation Tries NotBefore Outcome OutcomeAt Detail Transport Verified
            State CreatedAt Consent LeftAt Chore Epoch Nonce LeaseEnd Checkpoint OpenFrom OpenTo OpenCount
            NextRange Walked Recipients Reopened
            """.split("\\s+"));

    private static final Map<String, Byte> PLACES =
            IntStream.range(0, NAMES.size()).boxed().collect(Collectors.toMap(NAMES::get, index -> (byte) (index + 1)));

    private ShortNames() {}

    /** Returns the byte of a name, or {@link #NONE}. */
    static byte of(String name) {
        return PLACES.getOrDefault(name, NONE);
    }

    /**
     * Returns the name for a byte other than {@link #NONE}.
     *
     * @throws IllegalArgumentException if no name has this byte
     */
    static String name(byte place) {
        if (place < 1 || place > NAMES.size()) {
            throw new IllegalArgumentException("no property has the number " + place);
        }
        return NAMES.get(place - 1);
    }
}
