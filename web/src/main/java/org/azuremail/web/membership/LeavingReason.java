package org.azuremail.web.membership;

import java.util.Arrays;
import java.util.Optional;
import org.azuremail.reason.Reason;

/**
 * The reasons that people may give when they unsubscribe. Rows contain these names: names may be added, but never
 * changed or reused.
 */
enum LeavingReason implements Reason.Code {
    TOO_MANY_EMAILS("too-many"),
    NOT_RELEVANT("not-relevant"),
    NEVER_SUBSCRIBED("never-subscribed"),
    ANOTHER_REASON("other");

    private final String option;

    LeavingReason(String option) {
        this.option = option;
    }

    /** Returns the reason for an option of the form; empty for any other text. */
    static Optional<LeavingReason> ofOption(String option) {
        return Arrays.stream(values())
                .filter(reason -> reason.option.equals(option))
                .findFirst();
    }
}
