package org.azuremail.message;

import org.azuremail.reason.Reason;

/** Reasons why a message cannot go to this list at this time. */
enum ScheduleFault implements Reason.Code {
    /** The list's name. */
    LIST_UNKNOWN,
    /** Two lists, each with the number of its parts. */
    LISTS_DIFFER,
    SEGMENT_UNKNOWN,
    /** The value is the zone that was given. */
    ZONE_UNKNOWN,
    /** The value is the date that was given. */
    DATE_UNREADABLE,
    DATE_PAST,
    /** Nothing of the message can be changed any more. */
    EDIT_NOT_PENDING,
    /** List, date and class can no longer be changed. */
    EDIT_UNDER_WAY
}
