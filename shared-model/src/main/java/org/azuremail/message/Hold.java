package org.azuremail.message;

/** Whether a Pending message goes out at its date after a change of it. */
public enum Hold {
    /** Paused or not, as it was. */
    AS_IT_WAS,
    /** It is a draft from the same write on: nothing goes out before somebody says so. */
    DRAFT,
    /** It goes out, unless it is paused for a reason that somebody has to see to. */
    AT_ITS_DATE
}
