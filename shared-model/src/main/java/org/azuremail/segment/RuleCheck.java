package org.azuremail.segment;

import static org.azuremail.segment.Rule.Op.AFTER;
import static org.azuremail.segment.Rule.Op.BEFORE;
import static org.azuremail.segment.Rule.Op.BEGINS_WITH;
import static org.azuremail.segment.Rule.Op.BOUNCED;
import static org.azuremail.segment.Rule.Op.COMPLAINED;
import static org.azuremail.segment.Rule.Op.CONTAINS;
import static org.azuremail.segment.Rule.Op.ENDS_WITH;
import static org.azuremail.segment.Rule.Op.GREATER;
import static org.azuremail.segment.Rule.Op.IN;
import static org.azuremail.segment.Rule.Op.IN_LAST_DAYS;
import static org.azuremail.segment.Rule.Op.IS;
import static org.azuremail.segment.Rule.Op.IS_EMPTY;
import static org.azuremail.segment.Rule.Op.IS_NOT;
import static org.azuremail.segment.Rule.Op.IS_NOT_EMPTY;
import static org.azuremail.segment.Rule.Op.LESS;
import static org.azuremail.segment.Rule.Op.NOT_IN;
import static org.azuremail.segment.Rule.Op.NOT_SENT;
import static org.azuremail.segment.Rule.Op.SENT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.FieldValue;
import org.azuremail.field.ListFields;
import org.azuremail.reason.Reason;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Test;
import org.azuremail.segment.Rule.What;
import org.azuremail.segment.RuleJson.Fault;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;

/** Whether each test can be asked of the subscribers of a list with these fields. */
record RuleCheck(ListFields fields) {

    static final int MOST_DAYS = 3650;

    /** The questions that can be asked. */
    static List<Op> ops(What what, FieldType type) {
        return switch (what) {
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

    List<Fault> faults(Rule rule) {
        List<Fault> faults = new ArrayList<>();
        check(rule, "", faults);
        return faults;
    }

    private void check(Rule rule, String at, List<Fault> faults) {
        if (rule instanceof Group group) {
            if (group.rules().isEmpty()) {
                faults.add(new Fault(at, RuleFault.RULES_GROUP_EMPTY));
            }
            String inside = at + "/" + RuleJson.word(group.joined()) + "/";
            for (int i = 0; i < group.rules().size(); i++) {
                check(group.rules().get(i), inside + i, faults);
            }
        } else if (rule instanceof Test test) {
            check(test, at, faults);
        }
    }

    private void check(Test test, String at, List<Fault> faults) {
        Optional<Field> field = test.what() == What.FIELD ? fields.find(test.field()) : Optional.of(Field.text("name"));
        if (field.isEmpty()) {
            faults.add(new Fault(at + "/field", RuleFault.RULES_FIELD_UNKNOWN, test.field()));
            return;
        }
        List<Op> possible = ops(test.what(), field.get().type());
        if (!possible.contains(test.op())) {
            String words = RuleJson.words(possible.toArray(Op[]::new));
            faults.add(new Fault(at + "/test", RuleFault.RULES_WORD, RuleJson.word(test.op()), words));
        } else if (test.op().takesValue()) {
            wrong(test, field.get()).ifPresent(reason -> faults.add(new Fault(at + "/value", reason)));
        }
    }

    private static Optional<Reason> wrong(Test test, Field field) {
        if (test.value().isBlank()) {
            return Optional.of(Reason.of(RuleFault.RULES_VALUE_MISSING));
        }
        return switch (test.what()) {
            case FIELD, NAME, ADDRESS ->
                field.read(test.value()) instanceof FieldValue.Refused refused
                        ? Optional.of(Reason.of(RuleFault.RULES_VALUE, refused.reason()))
                        : Optional.empty();
            case STATE -> word(test.value(), SubscriberState.values());
            case SOURCE -> word(test.value(), Origin.How.values());
            case JOINED ->
                test.op() == IN_LAST_DAYS
                        ? require(days(test.value()), RuleFault.RULES_DAYS)
                        : require(FieldType.DATE.sortable(test.value()).isPresent(), RuleFault.RULES_DATE);
            case MESSAGE, SEGMENT -> Optional.empty();
        };
    }

    private static Optional<Reason> word(String value, Enum<?>... all) {
        return List.of(RuleJson.words(all).split(", ")).contains(value)
                ? Optional.empty()
                : Optional.of(Reason.of(RuleFault.RULES_WORD, value, RuleJson.words(all)));
    }

    private static boolean days(String value) {
        return value.strip().matches("[0-9]{1,4}") && Integer.parseInt(value.strip()) <= MOST_DAYS;
    }

    private static Optional<Reason> require(boolean fits, RuleFault fault) {
        return fits ? Optional.empty() : Optional.of(Reason.of(fault));
    }
}
