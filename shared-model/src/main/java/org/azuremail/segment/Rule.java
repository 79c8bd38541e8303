package org.azuremail.segment;

import java.util.List;
import java.util.stream.Stream;

/** Says of a subscriber whether they are meant: a test, or a group of rules. */
public sealed interface Rule {

    /** The ways to join the rules of a group. */
    enum Joined {
        ALL,
        ANY,
        /** Not any of them: with one rule in it, <em>not</em>. */
        NONE
    }

    /** The subject of a test. */
    enum What {
        /** A field of the list. */
        FIELD,
        /** The subscriber's name. */
        NAME,
        ADDRESS,
        STATE,
        /** The time when the subscriber was added. */
        JOINED,
        /** The way in which the subscriber came to the list. */
        SOURCE,
        /** The outcome of an earlier message. */
        MESSAGE,
        /** Another segment of the list. */
        SEGMENT
    }

    /** The question. */
    enum Op {
        IS,
        IS_NOT,
        CONTAINS,
        BEGINS_WITH,
        ENDS_WITH,
        GREATER,
        LESS,
        BEFORE,
        AFTER,
        IN_LAST_DAYS,
        IS_EMPTY,
        IS_NOT_EMPTY,
        SENT,
        NOT_SENT,
        /** Sent, and came back. */
        BOUNCED,
        /** Sent, and marked as spam. */
        COMPLAINED,
        IN,
        NOT_IN;

        /** Returns whether it compares with something. */
        public boolean takesValue() {
            return this != IS_EMPTY && this != IS_NOT_EMPTY;
        }
    }

    /** Rules together; those of an empty group are all fulfilled. */
    record Group(Joined joined, List<Rule> rules) implements Rule {

        public Group {
            rules = List.copyOf(rules);
        }
    }

    /**
     * One test.
     *
     * @param field the field's name; empty for everything else
     * @param value as it was typed: a text, a number, a date, a state, a MessageRef, a segment's name
     */
    record Test(What what, String field, Op op, String value) implements Rule {}

    /** The tests in it, in their order. */
    default Stream<Test> tests() {
        return this instanceof Group group ? group.rules().stream().flatMap(Rule::tests) : Stream.of((Test) this);
    }

    /** Returns the number of groups nested in one another. */
    default int depth() {
        return this instanceof Group group
                ? 1 + group.rules().stream().mapToInt(Rule::depth).max().orElse(0)
                : 0;
    }
}
