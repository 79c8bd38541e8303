package org.azuremail.segment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Joined;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Test;
import org.azuremail.segment.Rule.What;
import org.azuremail.segment.RuleJson.Fault;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Segments of lists: saved only when their rules can be applied, and resolved into rules that need no other segment. Segments
 * that use one another are checked one by one: where two changes at the same time close a circle, or something that a rule
 * needs goes later, {@link #resolve} says so. Safe for use from many threads and processes.
 */
public class Segments {

    /** The most groups nested in one another. */
    public static final int DEEPEST = 5;

    /** The most tests of one segment. */
    public static final int MOST_TESTS = 50;

    /** The most tests of a segment together with those that it uses; each is asked of everybody. */
    static final int MOST_RESOLVED = 200;

    /** The most earlier messages; the outcomes of each are read along with the subscribers. */
    static final int MOST_MESSAGES = 5;

    private final SegmentStore store;
    private final ListStore lists;
    private final FieldStore fields;
    private final Messages messages;

    public Segments(SegmentStore store, ListStore lists, FieldStore fields, Messages messages) {
        this.store = store;
        this.lists = lists;
        this.fields = fields;
        this.messages = messages;
    }

    /** The result of saving a segment. */
    public sealed interface Saving {

        record Done(Versioned<Segment> segment) implements Saving {}

        /** Nothing was saved: the rules cannot be applied. */
        record Refused(List<Fault> faults) implements Saving {}

        /** Nothing was saved: somebody else was first. */
        record Conflict(Versioned<Segment> current) implements Saving {}

        /** There is no such segment any more. */
        record Missing() implements Saving {}

        /** The list has as many segments as it can have. */
        record TooMany() implements Saving {}
    }

    /**
     * Rules that need no other segment.
     *
     * @param saved the rules as they are saved: each value in one form, other segments by name
     * @param rule {@code null} when there are faults
     */
    public record Resolved(Rule saved, @Nullable Rule rule, List<Fault> faults) {

        /** The rules, if they can be applied. */
        public Optional<Rule> applicable() {
            return Optional.ofNullable(rule);
        }
    }

    /** The questions of tests. */
    public static List<Op> ops(What what, FieldType type) {
        return RuleCheck.ops(what, type);
    }

    public List<Versioned<Segment>> all(ListName list) {
        return store.all(list);
    }

    public Optional<Versioned<Segment>> find(ListName list, SegmentName name) {
        return store.find(list, name);
    }

    /** @param etag of the version that was read; {@code null} for a new segment */
    public Saving save(MailingList list, SegmentName name, String description, Rule rule, @Nullable String etag) {
        Resolved resolved = resolve(list, name, rule);
        if (!resolved.faults().isEmpty()) {
            return new Saving.Refused(resolved.faults());
        }
        if (etag == null && store.all(list.name()).size() >= SegmentStore.MOST) {
            return new Saving.TooMany();
        }
        Segment segment = new Segment(list.name(), name, description, RuleJson.text(resolved.saved()));
        Saved<Segment> saved = etag == null ? store.insert(segment) : store.replace(segment, etag);
        return saved instanceof Saved.Conflict<Segment> conflict
                ? new Saving.Conflict(conflict.current())
                : saved.done().<Saving>map(Saving.Done::new).orElseGet(Saving.Missing::new);
    }

    /** Deletes a segment as it was read; false when somebody changed it since. */
    public boolean delete(Versioned<Segment> read) {
        return store.delete(read);
    }

    /** The other segments of its list that use a segment. */
    public List<Segment> users(Segment used) {
        return store.all(used.list()).stream()
                .map(Versioned::value)
                .filter(other -> read(other).stream()
                        .flatMap(Rule::tests)
                        .anyMatch(test -> test.what() == What.SEGMENT
                                && SegmentName.parse(test.value()).equals(Optional.of(used.name()))))
                .toList();
    }

    private static Optional<Rule> read(Segment segment) {
        return Optional.ofNullable(RuleJson.read(segment.rules()).rule());
    }

    /** Messages to a segment that are not final: its rules are still needed by those that have not begun. */
    public List<Message> waiting(Segment segment) {
        return messages.active().stream()
                .filter(message -> message.editable()
                        && message.list().equals(segment.list())
                        && segment.name().equals(message.audience().segment()))
                .toList();
    }

    /**
     * A segment as a page lists it.
     *
     * @param faults why its rules cannot be applied now
     */
    public record Listed(Segment segment, List<Fault> faults) {}

    /** All segments of a list; the fields and the segments are read once. */
    public List<Listed> listed(MailingList list) {
        Map<SegmentName, Segment> all = new LinkedHashMap<>();
        store.all(list.name()).forEach(found -> all.put(found.value().name(), found.value()));
        Known known = new Known(list, fields.of(list), name -> Optional.ofNullable(all.get(name)));
        return all.values().stream()
                .map(segment -> new Listed(segment, resolve(known, segment).faults()))
                .toList();
    }

    /** The segments whose rules test a field, and could not be applied with these fields of the list. */
    public List<Segment> brokenBy(ListName list, String field, ListFields changed) {
        return store.all(list).stream()
                .map(Versioned::value)
                .filter(segment -> read(segment)
                        .filter(rule -> breaks(rule, field, changed))
                        .isPresent())
                .toList();
    }

    private static boolean breaks(Rule rule, String field, ListFields changed) {
        List<Fault> faults = new ArrayList<>();
        new RuleCheck(changed, faults).checked(rule);
        return !faults.isEmpty()
                && rule.tests()
                        .anyMatch(test ->
                                test.what() == What.FIELD && test.field().equals(field));
    }

    /** A segment's rules without a reference to another one; empty when the list or the segment is gone. */
    public Optional<Resolved> resolve(ListName list, SegmentName name) {
        return lists.findActive(list)
                .flatMap(there -> store.find(list, name).map(found -> resolve(there, found.value())));
    }

    /** Why a message to this audience cannot begin now: its segment is gone, or the rules cannot be applied. */
    public Optional<Reason> fault(Audience audience) {
        SegmentName name = audience.segment();
        if (name == null) {
            return Optional.empty();
        }
        Optional<Resolved> resolved = resolve(audience.list(), name);
        return resolved.isEmpty()
                ? Optional.of(Reason.of(ReasonCode.SEGMENT_GONE, name.value()))
                : resolved.filter(found -> found.rule() == null).map(found -> broken(name, found.faults()));
    }

    /** The reason why a message to a segment with these faults fails. */
    public static Reason broken(SegmentName name, List<Fault> faults) {
        return Reason.of(ReasonCode.SEGMENT_BROKEN, name.value(), faults.get(0).reason());
    }

    /** A segment's rules without a reference to another one. */
    public Resolved resolve(MailingList list, Segment segment) {
        return resolve(known(list), segment);
    }

    /**
     * Rules of a list without a reference to another segment.
     *
     * @param name of the segment that they are, or are to be; {@code null} while it has none
     */
    public Resolved resolve(MailingList list, @Nullable SegmentName name, Rule rule) {
        return resolve(known(list), name, rule, true);
    }

    /** The list of a segment, with its fields and segments. */
    private record Known(MailingList list, ListFields fields, Function<SegmentName, Optional<Segment>> segments) {}

    private Known known(MailingList list) {
        return new Known(
                list, fields.of(list), name -> store.find(list.name(), name).map(Versioned::value));
    }

    private Resolved resolve(Known known, Segment segment) {
        RuleJson.Read read = RuleJson.read(segment.rules());
        return read.rule() == null
                ? new Resolved(new Group(Joined.ALL, List.of()), null, read.faults())
                : resolve(known, segment.name(), read.rule(), false);
    }

    /** @param saving whether the rules are to be saved; later, a message that somebody deleted counts as sent to nobody */
    private Resolved resolve(Known known, @Nullable SegmentName name, Rule rule, boolean saving) {
        List<Fault> faults = new ArrayList<>(limits(rule));
        if (!faults.isEmpty()) {
            return new Resolved(rule, null, faults);
        }
        Rule saved = new RuleCheck(known.fields(), faults).checked(rule);
        if (RuleJson.text(saved).length() > Segment.LONGEST_RULES) {
            faults.add(new Fault("", RuleFault.RULES_LONG, Segment.LONGEST_RULES));
        }
        if (!faults.isEmpty()) {
            return new Resolved(saved, null, faults);
        }
        Deque<String> path = new ArrayDeque<>(List.of(name == null ? "" : name.value()));
        Rule whole = expanded(known, saved, "", path, faults);
        if (faults.isEmpty()) {
            faults.addAll(limitsOfAll(known.list(), whole, saving));
        }
        return new Resolved(saved, faults.isEmpty() ? whole : null, faults);
    }

    private static List<Fault> limits(Rule rule) {
        if (rule.depth() > DEEPEST) {
            return List.of(new Fault("", RuleFault.RULES_DEEP, DEEPEST));
        }
        return rule.tests().count() > MOST_TESTS ? List.of(new Fault("", RuleFault.RULES_MANY, MOST_TESTS)) : List.of();
    }

    /**
     * Puts the rules of other segments in place of references to them. Faults of those rules are reported at the reference.
     *
     * @param path the segments that are being expanded, the outermost first
     */
    private Rule expanded(Known known, Rule rule, String at, Deque<String> path, List<Fault> faults) {
        if (rule instanceof Group group) {
            List<Rule> rules = new ArrayList<>();
            for (Rule one : group.rules()) {
                String inside = at + "/" + RuleJson.word(group.joined()) + "/" + rules.size();
                rules.add(expanded(known, one, path.size() > 1 ? at : inside, path, faults));
            }
            return group(group.joined(), rules);
        }
        Test test = (Test) rule;
        return test.what() == What.SEGMENT ? used(known, test, at, path, faults) : test;
    }

    /** A group of one rule is that rule, so that segments that only use one another do not nest ever deeper. */
    private static Rule group(Joined joined, List<Rule> rules) {
        return rules.size() == 1 && joined != Joined.NONE ? rules.get(0) : new Group(joined, rules);
    }

    private Rule used(Known known, Test test, String at, Deque<String> path, List<Fault> faults) {
        String name = test.value().toLowerCase(Locale.ROOT);
        Optional<RuleJson.Read> read =
                SegmentName.parse(name).flatMap(known.segments()).map(segment -> RuleJson.read(segment.rules()));
        if (path.contains(name)) {
            faults.add(new Fault(at, RuleFault.RULES_CYCLE, name));
        } else if (read.isEmpty()) {
            faults.add(new Fault(at, RuleFault.RULES_SEGMENT_UNKNOWN, name));
        } else if (read.get().rule() == null) {
            read.get().faults().forEach(fault -> faults.add(new Fault(at, fault.reason())));
        } else if (faults.isEmpty()) {
            List<Fault> inside = new ArrayList<>();
            Rule checked =
                    new RuleCheck(known.fields(), inside).checked(read.get().rule());
            inside.forEach(fault -> faults.add(new Fault(at, fault.reason())));
            path.addLast(name);
            Rule rule = expanded(known, checked, at, path, faults);
            path.removeLast();
            if (rule.tests().count() > MOST_RESOLVED) {
                faults.add(new Fault(at, RuleFault.RULES_MANY, MOST_RESOLVED));
            }
            return group(test.op() == Op.IN ? Joined.ALL : Joined.NONE, List.of(rule));
        }
        return test;
    }

    private List<Fault> limitsOfAll(MailingList list, Rule whole, boolean saving) {
        Set<String> named = whole.tests()
                .filter(test -> test.what() == What.MESSAGE)
                .map(Test::value)
                .collect(Collectors.toSet());
        if (whole.tests().count() > MOST_RESOLVED) {
            return List.of(new Fault("", RuleFault.RULES_MANY, MOST_RESOLVED));
        }
        if (whole.depth() > RuleJson.MOST_LEVELS) {
            return List.of(new Fault("", RuleFault.RULES_DEEP_TOGETHER, RuleJson.MOST_LEVELS));
        }
        if (named.size() > MOST_MESSAGES) {
            return List.of(new Fault("", RuleFault.RULES_MESSAGES, MOST_MESSAGES));
        }
        if (RuleJson.text(whole).length() > 2 * Segment.LONGEST_RULES) {
            return List.of(new Fault("", RuleFault.RULES_LONG, 2 * Segment.LONGEST_RULES));
        }
        List<Fault> faults = new ArrayList<>();
        named.forEach(ref -> wrong(list, ref)
                .filter(fault -> saving || fault != RuleFault.RULES_MESSAGE_UNKNOWN)
                .ifPresent(fault -> faults.add(new Fault("", fault, ref))));
        return faults;
    }

    /** Once outcomes are kept no longer, nobody can tell to whom a message was sent. */
    private Optional<RuleFault> wrong(MailingList list, String ref) {
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
