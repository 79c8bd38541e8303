package org.azuremail.message;

import org.azuremail.reason.Reason;

/** Reasons why a message cannot be sent to its lists at its time. */
enum ScheduleFault implements Reason.Code {
    /** A list does not exist; the parameter is its name. */
    LIST_UNKNOWN,
    /** Two lists have different numbers of shards; the parameters are the lists, each with its number. */
    LISTS_DIFFER,
    SEGMENT_UNKNOWN,
    /** The zone is unknown; the parameter is the given zone. */
    ZONE_UNKNOWN,
    /** The date cannot be read; the parameter is the given date. */
    DATE_UNREADABLE,
    DATE_PAST,
    /** No part of the message can be changed any more. */
    EDIT_NOT_PENDING,
    /** Lists, date and class can no longer be changed. */
    EDIT_UNDER_WAY
}
