package org.azuremail.greeting;

import org.azuremail.reason.Reason;

/** A fault of a greeting, or of a day of one. */
public enum GreetingReason implements Reason.Code {
    GREETING_NAME,
    GREETING_LIST,
    GREETING_OCCASION,
    /** It must be a field of the list with days of the year, or dates. */
    GREETING_FIELD,
    /** The least and the most. */
    GREETING_DAYS,
    GREETING_TIME,
    /** There is no such message. */
    GREETING_TEXT,
    /** The message is not for this list alone. */
    GREETING_TEXT_LIST,
    /** A draft is the text of the greeting with this name. */
    GREETING_SENDS,
    /** The most greetings. */
    GREETING_MOST
}
