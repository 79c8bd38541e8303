package org.azuremail.segment;

import org.azuremail.reason.Reason;

/** Faults of rules. */
public enum RuleFault implements Reason.Code {
    RULES_NOT_JSON,
    /** Neither a group nor a test. */
    RULES_SHAPE,
    /** An unknown key. */
    RULES_KEY,
    /** A word, and those that are possible. */
    RULES_WORD,
    /** The most characters. */
    RULES_LONG,
    /** The most groups nested in one another. */
    RULES_DEEP,
    /** The most groups nested in one another, including those of other segments. */
    RULES_DEEP_TOGETHER,
    /** The most tests. */
    RULES_MANY,
    /** The most earlier messages. */
    RULES_MESSAGES,
    RULES_GROUP_EMPTY,
    /** The field's name. */
    RULES_FIELD_UNKNOWN,
    RULES_VALUE_MISSING,
    /** The reason why the value does not fit. */
    RULES_VALUE,
    RULES_DATE,
    RULES_DAYS,
    /** The message's number. */
    RULES_MESSAGE_UNKNOWN,
    /** The message's number: its outcomes are deleted. */
    RULES_MESSAGE_FORGOTTEN,
    /** The message's number. */
    RULES_MESSAGE_PARTS,
    /** The segment's name. */
    RULES_SEGMENT_UNKNOWN,
    /** The segment's name. */
    RULES_CYCLE
}
