package org.azuremail.delivery.recipient;

import org.azuremail.reason.Reason;

/** Sentences of a {@link DeliveryExplanation}. The parameters are the values in their words. */
enum ExplanationCode implements Reason.Code {
    STORY_SENT,
    STORY_FAILED,
    STORY_SKIPPED,
    STORY_UNKNOWN,
    STORY_WAITS,
    STORY_WAITS_AGAIN,
    STORY_PAUSED,
    STORY_PAUSED_FOR,
    STORY_PUT_OFF,
    STORY_PUT_OFF_SAYING,
    STORY_HANDING,
    STORY_WAITS_FOR,
    STORY_NOT_DUE,
    STORY_NEVER_SENT,
    STORY_CANCELLED,
    STORY_COUNTING,
    /** The outcomes of single recipients were removed; the parameter is the time. */
    STORY_RETIRED,
    STORY_NOT_COUNTED,
    STORY_NO_LIST,
    STORY_NOT_ON_LIST,
    STORY_TOOK_PLACE,
    STORY_ADDED_LATER,
    STORY_NOT_EXPLAINED,
    STORY_SUBSCRIBED_LATE,
    STORY_BEFORE_COUNTING,
    STORY_SUBSCRIBED,
    STORY_NOT_IN_SEGMENT,
    STORY_NOT_THE_DAY,
    STORY_LEFT,
    STORY_RELEASED,
    STORY_SUPPRESSED,
    STORY_DELETION_ASKED,
    STORY_UNVERIFIED,
    STORY_ADDED_UNCONFIRMED,
    STORY_MOVED,
    STORY_MOVED_AWAY,
    STORY_UNCONFIRMED
}
