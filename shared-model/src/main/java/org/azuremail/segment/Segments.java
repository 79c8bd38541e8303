package org.azuremail.segment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.RuleJson.Fault;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Segments of lists. They are saved only if their rules can be applied, and resolved into rules without references to
 * other segments. A save that closes a cycle together with concurrent ones is taken back. If a process dies before
 * that, or an object that a rule needs is deleted later, {@link #resolve} reports it. Safe for use from many threads
 * and processes.
 */
public record Segments(SegmentStore store, ListStore lists, FieldStore fields, Messages messages) {

    public static final int DEEPEST = 5;

    public static final int MAX_TESTS = 50;

    public sealed interface SegmentSaveResult {

        record Done(Versioned<Segment> segment) implements SegmentSaveResult {}

        /** Nothing was saved: the rules cannot be applied. */
        record Refused(List<Fault> faults) implements SegmentSaveResult {}

        /** Nothing was saved, because another person saved first. */
        record Conflict(Versioned<Segment> current) implements SegmentSaveResult {}

        /** The segment or the list no longer exists. */
        record Missing() implements SegmentSaveResult {}

        /** The list has as many segments as it can have. */
        record TooMany() implements SegmentSaveResult {}
    }

    /**
     * Rules without references to other segments.
     *
     * @param saved the rules as saved, with each value in its canonical form and other segments by name
     * @param rule {@code null} if there are faults
     */
    public record Resolved(Rule saved, @Nullable Rule rule, List<Fault> faults) {

        public Optional<Rule> applicable() {
            return Optional.ofNullable(rule);
        }
    }

    public List<Versioned<Segment>> all(ListName list) {
        return store.all(list);
    }

    public Optional<Versioned<Segment>> find(ListName list, SegmentName name) {
        return store.find(list, name);
    }

    /** Returns the segment of a typed name. */
    public Optional<Versioned<Segment>> find(ListName list, String name) {
        return SegmentName.parse(name).flatMap(parsed -> find(list, parsed));
    }

    /** @param etag as read; {@code null} for a new segment */
    public SegmentSaveResult save(
            MailingList list, SegmentName name, String description, Rule rule, @Nullable String etag) {
        SegmentSaveResult result = saveNow(list, name, description, rule, etag);
        if (result instanceof SegmentSaveResult.Done done && !lists.isStillThere(list)) {
            store.delete(done.segment());
            return new SegmentSaveResult.Missing();
        }
        return result;
    }

    private SegmentSaveResult saveNow(
            MailingList list, SegmentName name, String description, Rule rule, @Nullable String etag) {
        Resolved resolved = resolve(list, name, rule);
        if (!resolved.faults().isEmpty()) {
            return new SegmentSaveResult.Refused(resolved.faults());
        }
        if (etag == null && store.all(list.name()).size() >= SegmentStore.MAX) {
            return new SegmentSaveResult.TooMany();
        }
        boolean usesOthers = resolved.saved().tests().anyMatch(test -> test.operand() == Operand.SEGMENT);
        Optional<Segment> before =
                usesOthers && etag != null ? store.find(list.name(), name).map(Versioned::value) : Optional.empty();
        Segment segment = new Segment(list.name(), name, description, RuleJson.text(resolved.saved()));
        Saved<Segment> saved = etag == null ? store.insert(segment) : store.replace(segment, etag);
        if (saved instanceof Saved.Conflict<Segment> conflict) {
            return new SegmentSaveResult.Conflict(conflict.current());
        }
        Optional<Versioned<Segment>> done = saved.done();
        List<Fault> faults = usesOthers && done.isPresent()
                ? resolve(list, name, resolved.saved()).faults()
                : List.of();
        if (!faults.isEmpty()) {
            takeBack(done.orElseThrow(), before);
            return new SegmentSaveResult.Refused(faults);
        }
        return done.<SegmentSaveResult>map(SegmentSaveResult.Done::new).orElseGet(SegmentSaveResult.Missing::new);
    }

    /**
     * Takes a save back. Of concurrent saves that close a cycle, the last one finds it; if others find it too, all of
     * them are taken back. If another save has changed the segment since, it has checked for cycles as well, and stays.
     */
    private void takeBack(Versioned<Segment> saved, Optional<Segment> before) {
        before.ifPresentOrElse(segment -> store.replace(segment, saved.etag()), () -> store.delete(saved));
    }

    /** Deletes a segment as it was read; returns false if it has changed since. */
    public boolean delete(Versioned<Segment> read) {
        return store.delete(read);
    }

    public List<Segment> findReferencing(Segment used) {
        return store.all(used.list()).stream()
                .map(Versioned::value)
                .filter(other -> read(other).stream()
                        .flatMap(Rule::tests)
                        .anyMatch(test -> test.operand() == Operand.SEGMENT
                                && SegmentName.parse(test.value()).equals(Optional.of(used.name()))))
                .toList();
    }

    private static Optional<Rule> read(Segment segment) {
        return Optional.ofNullable(RuleJson.read(segment.rules()).rule());
    }

    /** Returns the messages to a segment that have not begun, and so still need its rules. */
    public List<Message> pendingMessages(Segment segment) {
        return messages.active().stream()
                .filter(message -> message.editable()
                        && message.list().equals(segment.list())
                        && segment.name().equals(message.audience().segment()))
                .toList();
    }

    /**
     * A segment in a list of segments.
     *
     * @param faults why its rules cannot be applied now
     */
    public record CheckedSegment(Segment segment, List<Fault> faults) {}

    /** Returns all segments of a list; reads the fields and the segments once. */
    public List<CheckedSegment> listWithFaults(MailingList list) {
        Map<SegmentName, Segment> all = new LinkedHashMap<>();
        store.all(list.name()).forEach(found -> all.put(found.value().name(), found.value()));
        ListFields known = fields.of(list);
        return all.values().stream()
                .map(segment -> new CheckedSegment(
                        segment,
                        new RuleResolver(list, known, name -> Optional.ofNullable(all.get(name)), messages)
                                .of(segment)
                                .faults()))
                .toList();
    }

    /** Returns the segments whose rules test a field, and could not be applied if the list had these fields. */
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
                                test.operand() == Operand.FIELD && test.field().equals(field));
    }

    /** Returns a segment's rules without references to other segments; empty if the list or the segment is deleted. */
    public Optional<Resolved> resolve(ListName list, SegmentName name) {
        return lists.findActive(list)
                .flatMap(existing -> store.find(list, name).map(found -> resolve(existing, found.value())));
    }

    /**
     * Returns the reason why a message to this audience cannot begin, if any: its segment is deleted, or its rules
     * cannot be applied.
     */
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

    /** Returns the reason why a message to a segment with these faults fails. */
    public static Reason broken(SegmentName name, List<Fault> faults) {
        return Reason.of(ReasonCode.SEGMENT_BROKEN, name.value(), faults.get(0).reason());
    }

    /** Returns a segment's rules without references to other segments. */
    public Resolved resolve(MailingList list, Segment segment) {
        return resolution(list).of(segment);
    }

    /**
     * Returns rules of a list without references to other segments.
     *
     * @param name the name of their segment, which may not be saved yet; {@code null} if it has none
     */
    public Resolved resolve(MailingList list, @Nullable SegmentName name, Rule rule) {
        return resolution(list).of(name, rule, true);
    }

    private RuleResolver resolution(MailingList list) {
        return new RuleResolver(
                list, fields.of(list), name -> store.find(list.name(), name).map(Versioned::value), messages);
    }
}
