package org.azuremail.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.field.Field.FieldValue;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.SegmentName;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Rule.Test;
import org.azuremail.segment.RuleJson.Fault;
import org.azuremail.segment.RuleJson.RuleFault;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;

/** Checks whether each test suits a list with these fields, and converts values to their canonical form. */
record RuleCheck(ListFields fields, List<Fault> faults) {

    static final int MAX_DAYS = 3650;

    /**
     * Returns the rule with each value in the one form in which rules are saved; a test with a fault stays as typed.
     */
    Rule checked(Rule rule) {
        return checked(rule, "");
    }

    private Rule checked(Rule rule, String at) {
        if (rule instanceof Test test) {
            return checked(test, at);
        }
        Group group = (Group) rule;
        if (group.rules().isEmpty()) {
            faults.add(new Fault(at, RuleFault.RULES_GROUP_EMPTY));
        }
        String inside = at + "/" + AsciiWord.of(group.combinator()) + "/";
        List<Rule> rules = new ArrayList<>();
        group.rules().forEach(one -> rules.add(checked(one, inside + rules.size())));
        return new Group(group.combinator(), rules);
    }

    private Test checked(Test test, String at) {
        Optional<Field> field =
                test.operand() == Operand.FIELD ? fields.find(test.field()) : Optional.of(Field.text("name"));
        if (field.isEmpty()) {
            faults.add(new Fault(at + "/field", RuleFault.RULES_FIELD_UNKNOWN, test.field()));
            return test;
        }
        List<Op> possible = Op.of(test.operand(), field.get().type());
        if (!possible.contains(test.op())) {
            String words = RuleJson.words(possible.toArray(Op[]::new));
            faults.add(new Fault(at + "/test", RuleFault.RULES_WORD, AsciiWord.of(test.op()), words));
        } else if (test.op().takesValue()) {
            FieldValue value = value(test, test.value().strip(), field.get());
            if (value instanceof FieldValue.Valid valid) {
                return new Test(test.operand(), test.field(), test.op(), valid.stored());
            }
            faults.add(new Fault(at + "/value", ((FieldValue.Invalid) value).reason()));
        }
        return test;
    }

    private static FieldValue value(Test test, String typed, Field field) {
        if (typed.isEmpty()) {
            return refused(RuleFault.RULES_VALUE_MISSING);
        }
        return switch (test.operand()) {
            case FIELD, NAME, ADDRESS ->
                field.parse(typed) instanceof FieldValue.Valid valid
                        ? new FieldValue.Valid(field.type().plain(valid.stored()))
                        : refused(RuleFault.RULES_VALUE, ((FieldValue.Invalid) field.parse(typed)).reason());
            case STATE -> word(typed, SubscriberState.values());
            case SOURCE -> word(typed, Origin.Channel.values());
            case JOINED -> test.op() == Op.IN_LAST_DAYS ? days(typed) : date(typed);
            case MESSAGE ->
                new FieldValue.Valid(
                        MessageRef.parse(typed).map(MessageRef::toString).orElse(typed));
            case SEGMENT ->
                new FieldValue.Valid(
                        SegmentName.parse(typed).map(SegmentName::value).orElse(typed));
        };
    }

    private static FieldValue word(String value, Enum<?>... all) {
        return List.of(RuleJson.words(all).split(", ")).contains(value)
                ? new FieldValue.Valid(value)
                : refused(RuleFault.RULES_WORD, value, RuleJson.words(all));
    }

    private static FieldValue days(String typed) {
        String value = AsciiWord.digits(typed);
        return value.matches("[0-9]{1,4}") && Integer.parseInt(value) <= MAX_DAYS
                ? new FieldValue.Valid(value)
                : refused(RuleFault.RULES_DAYS);
    }

    private static FieldValue date(String value) {
        return FieldType.DATE
                .sortable(value)
                .<FieldValue>map(FieldValue.Valid::new)
                .orElse(refused(RuleFault.RULES_DATE));
    }

    private static FieldValue refused(RuleFault fault, Object... values) {
        return new FieldValue.Invalid(Reason.of(fault, values));
    }
}
