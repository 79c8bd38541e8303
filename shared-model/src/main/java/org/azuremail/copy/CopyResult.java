package org.azuremail.copy;

import org.jspecify.annotations.Nullable;

/** The result of a copy. */
public sealed interface CopyResult {

    /**
     * Everything is in the target, and the service may start there.
     *
     * @param report {@code null} when an earlier run had finished the copy
     */
    record Finished(@Nullable CopyReport report) implements CopyResult {}

    /** Everything is copied except items that are still hidden: run it again. */
    record Hidden(long items) implements CopyResult {}

    /** Something differs: the next run copies everything once more. */
    record Different(CopyReport report) implements CopyResult {}

    /** Nothing was begun or changed; the reason says what to do. */
    record Refused(String why) implements CopyResult {}

    /** The copy is given up; the service may start on the source. */
    record Abandoned() implements CopyResult {}
}
