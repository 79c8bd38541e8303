package org.azuremail.segment;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.field.FieldType;

/** A condition on subscribers: a test, or a group of rules. */
public sealed interface Rule {

    /** The ways to join the rules of a group. */
    enum Combinator {
        ALL,
        ANY,
        /** None of the rules match; with one rule, this means <em>not</em>. */
        NONE
    }

    /** The subject of a test. */
    enum Operand {
        FIELD,
        NAME,
        ADDRESS,
        STATE,
        /** The time when the subscriber was added. */
        JOINED,
        /** The way in which the subscriber joined the list. */
        SOURCE,
        /** The outcome of an earlier message. */
        MESSAGE,
        /** Another segment of the list. */
        SEGMENT
    }

    /** The operator of a test. */
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
        /** The email was sent, but bounced. */
        BOUNCED,
        /** The email was sent, and marked as spam. */
        COMPLAINED,
        IN,
        NOT_IN;

        public boolean takesValue() {
            return this != IS_EMPTY && this != IS_NOT_EMPTY;
        }

        /** Returns the operators of tests of a subject. */
        public static List<Op> of(Operand operand, FieldType type) {
            return switch (operand) {
                case FIELD, NAME ->
                    switch (type) {
                        case TEXT -> List.of(IS, IS_NOT, CONTAINS, BEGINS_WITH, ENDS_WITH, IS_EMPTY, IS_NOT_EMPTY);
                        case NUMBER -> List.of(IS, IS_NOT, GREATER, LESS, IS_EMPTY, IS_NOT_EMPTY);
                        case YES_NO, CHOICE -> List.of(IS, IS_NOT, IS_EMPTY, IS_NOT_EMPTY);
                        case DATE, MONTH_DAY -> List.of(IS, IS_NOT, BEFORE, AFTER, IS_EMPTY, IS_NOT_EMPTY);
                    };
                case ADDRESS -> List.of(IS, IS_NOT, CONTAINS, BEGINS_WITH, ENDS_WITH);
                case STATE, SOURCE -> List.of(IS, IS_NOT);
                case JOINED -> List.of(BEFORE, AFTER, IN_LAST_DAYS);
                case MESSAGE -> List.of(SENT, NOT_SENT, BOUNCED, COMPLAINED);
                case SEGMENT -> List.of(IN, NOT_IN);
            };
        }
    }

    /** A group of rules; an empty group joined by ALL matches everyone. */
    record Group(Combinator combinator, List<Rule> rules) implements Rule {

        static final Group EVERYONE = new Group(Combinator.ALL, List.of());

        public Group {
            rules = List.copyOf(rules);
        }
    }

    /**
     * One test.
     *
     * @param field the field's name; empty for other subjects
     * @param value as typed: a text, a number, a date, a state, a MessageRef, or a segment's name
     */
    record Test(Operand operand, String field, Op op, String value) implements Rule {}

    default Stream<Test> tests() {
        return this instanceof Group group ? group.rules().stream().flatMap(Rule::tests) : Stream.of((Test) this);
    }

    /** Returns the references of the messages that tests are about, as stored. */
    default Set<String> messages() {
        return tests().filter(test -> test.operand() == Operand.MESSAGE)
                .map(Test::value)
                .collect(Collectors.toSet());
    }

    /** Returns the number of groups nested in one another. */
    default int depth() {
        return this instanceof Group group
                ? 1 + group.rules().stream().mapToInt(Rule::depth).max().orElse(0)
                : 0;
    }
}
