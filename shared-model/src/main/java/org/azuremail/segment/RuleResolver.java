package org.azuremail.segment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.segment.Rule.Combinator;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Rule.Test;
import org.azuremail.segment.RuleJson.Fault;
import org.azuremail.segment.RuleJson.RuleFault;
import org.azuremail.segment.Segments.Resolved;
import org.jspecify.annotations.Nullable;

/** Resolves the rules of one segment: checks them, and replaces references to other segments by their rules. */
final class RuleResolver {

    /**
     * The most tests of a segment together with those of the segments that it uses; every subscriber is tested by each.
     */
    static final int MAX_RESOLVED = 200;

    /** The most earlier messages; the outcomes of each are read together with the subscribers. */
    static final int MAX_MESSAGES = 5;

    private final MailingList list;
    private final ListFields fields;
    private final Function<SegmentName, Optional<Segment>> segments;
    private final Messages messages;
    private final List<Fault> faults = new ArrayList<>();

    /** The segments that are being expanded, the outermost first. */
    private final Deque<String> path = new ArrayDeque<>();

    RuleResolver(
            MailingList list, ListFields fields, Function<SegmentName, Optional<Segment>> segments, Messages messages) {
        this.list = list;
        this.fields = fields;
        this.segments = segments;
        this.messages = messages;
    }

    Resolved of(Segment segment) {
        RuleJson.Read read = RuleJson.read(segment.rules());
        return read.rule() == null
                ? new Resolved(Group.EVERYONE, null, read.faults())
                : of(segment.name(), read.rule(), false);
    }

    /**
     * @param saving whether the rules are about to be saved; in saved rules, a deleted message counts as sent to nobody
     */
    Resolved of(@Nullable SegmentName name, Rule rule, boolean saving) {
        checkSize(rule);
        if (!faults.isEmpty()) {
            return new Resolved(rule, null, faults);
        }
        Rule saved = new RuleCheck(fields, faults).checked(rule);
        if (RuleJson.text(saved).length() > Segment.MAX_RULES_LENGTH) {
            faults.add(new Fault("", RuleFault.RULES_LONG, Segment.MAX_RULES_LENGTH));
        }
        if (!faults.isEmpty()) {
            return new Resolved(saved, null, faults);
        }
        path.add(name == null ? "" : name.value());
        Rule whole = expanded(saved, "");
        if (faults.isEmpty()) {
            checkResolved(whole, saving);
        }
        return new Resolved(saved, faults.isEmpty() ? whole : null, faults);
    }

    private void checkSize(Rule rule) {
        if (rule.depth() > Segments.DEEPEST) {
            faults.add(new Fault("", RuleFault.RULES_DEEP, Segments.DEEPEST));
        } else if (rule.tests().count() > Segments.MAX_TESTS) {
            faults.add(new Fault("", RuleFault.RULES_MANY, Segments.MAX_TESTS));
        }
    }

    /** Replaces references to other segments by their rules. Faults of those rules are reported at the reference. */
    private Rule expanded(Rule rule, String at) {
        if (rule instanceof Group group) {
            List<Rule> rules = new ArrayList<>();
            for (Rule one : group.rules()) {
                String inside = at + "/" + AsciiWord.of(group.combinator()) + "/" + rules.size();
                rules.add(expanded(one, path.size() > 1 ? at : inside));
            }
            return group(group.combinator(), rules);
        }
        Test test = (Test) rule;
        return test.operand() == Operand.SEGMENT ? expandSegment(test, at) : test;
    }

    /** Reduces a group of one rule to that rule, so that a chain of segments does not nest deeper and deeper. */
    private static Rule group(Combinator joined, List<Rule> rules) {
        return rules.size() == 1 && joined != Combinator.NONE ? rules.get(0) : new Group(joined, rules);
    }

    private Rule expandSegment(Test test, String at) {
        Optional<SegmentName> wanted = SegmentName.parse(test.value());
        String name = wanted.map(SegmentName::value).orElse(test.value());
        Optional<RuleJson.Read> read = wanted.flatMap(segments).map(segment -> RuleJson.read(segment.rules()));
        if (path.contains(name)) {
            faults.add(new Fault(at, RuleFault.RULES_CYCLE, name));
        } else if (read.isEmpty()) {
            faults.add(new Fault(at, RuleFault.RULES_SEGMENT_UNKNOWN, name));
        } else if (read.get().rule() == null) {
            read.get().faults().forEach(fault -> faults.add(new Fault(at, fault.reason())));
        } else if (faults.isEmpty()) {
            List<Fault> inside = new ArrayList<>();
            Rule checked = new RuleCheck(fields, inside).checked(read.get().rule());
            inside.forEach(fault -> faults.add(new Fault(at, fault.reason())));
            path.addLast(name);
            Rule rule = expanded(checked, at);
            path.removeLast();
            if (rule.tests().count() > MAX_RESOLVED) {
                faults.add(new Fault(at, RuleFault.RULES_MANY, MAX_RESOLVED));
            }
            return group(test.op() == Op.IN ? Combinator.ALL : Combinator.NONE, List.of(rule));
        }
        return test;
    }

    private void checkResolved(Rule whole, boolean saving) {
        Set<String> named = whole.messages();
        if (whole.tests().count() > MAX_RESOLVED) {
            faults.add(new Fault("", RuleFault.RULES_MANY, MAX_RESOLVED));
        } else if (whole.depth() > RuleJson.MAX_LEVELS) {
            faults.add(new Fault("", RuleFault.RULES_DEEP_TOGETHER, RuleJson.MAX_LEVELS));
        } else if (named.size() > MAX_MESSAGES) {
            faults.add(new Fault("", RuleFault.RULES_MESSAGES, MAX_MESSAGES));
        } else if (RuleJson.text(whole).length() > 2 * Segment.MAX_RULES_LENGTH) {
            faults.add(new Fault("", RuleFault.RULES_LONG, 2 * Segment.MAX_RULES_LENGTH));
        } else {
            named.forEach(ref -> fault(ref)
                    .filter(fault -> saving || fault != RuleFault.RULES_MESSAGE_UNKNOWN)
                    .ifPresent(fault -> faults.add(new Fault("", fault, ref))));
        }
    }

    /**
     * Returns the fault of a test of a message. Once the message's outcomes are deleted, its recipients are unknown.
     */
    private Optional<RuleFault> fault(String ref) {
        Message message = MessageRef.parse(ref).flatMap(messages::find).orElse(null);
        if (message == null) {
            return Optional.of(RuleFault.RULES_MESSAGE_UNKNOWN);
        }
        if (message.retired()) {
            return Optional.of(RuleFault.RULES_MESSAGE_FORGOTTEN);
        }
        return message.shards() == list.shards() ? Optional.empty() : Optional.of(RuleFault.RULES_MESSAGE_PARTS);
    }
}
