package org.azuremail.web.api.list;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Message;
import org.azuremail.segment.Rule;
import org.azuremail.segment.RuleJson;
import org.azuremail.segment.SegmentCounts;
import org.azuremail.segment.SegmentPeople;
import org.azuremail.segment.Segments;
import org.azuremail.segment.Segments.SegmentSaveResult;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

@RestController
@RequestMapping("/api/v1/lists/{list}/segments")
record SegmentApi(Segments segments, SegmentPeople people, SegmentCounts counts) {

    record NewSegment(
            @Nullable String description, @Nullable JsonNode rules) {}

    record SegmentBody(String name, String description, JsonNode rules) {

        static SegmentBody of(Segment segment) {
            return new SegmentBody(segment.name().value(), segment.description(), RuleJson.tree(segment.rules()));
        }
    }

    /**
     * @param people the number of people in the segment, whatever their state
     * @param subscribed how many of these people get messages
     * @param countedAt when the people were counted; {@code null} if they were counted for this call
     * @param counting whether a newer count is pending
     */
    record PeopleBody(
            @Nullable Long people,
            @Nullable Long subscribed,
            @Nullable Instant countedAt,
            boolean counting) {}

    @GetMapping
    Items<SegmentBody> all(MailingList list) {
        return Items.all(segments.all(list.name()), found -> SegmentBody.of(found.value()));
    }

    @GetMapping("/{segment}")
    SegmentBody one(@PathVariable String segment, EntityTags tags, MailingList list) {
        Versioned<Segment> found = require(list, segment);
        tags.setEtag(found.etag());
        return SegmentBody.of(found.value());
    }

    /** Counts the people of a small list at once. For a larger list, returns the last count and requests a new one. */
    @GetMapping("/{segment}/people")
    PeopleBody people(@PathVariable String segment, MailingList list) {
        Segment found = require(list, segment).value();
        Optional<SegmentPeople.SampleResult> now = segments.resolve(list, found)
                .applicable()
                .map(rule -> people.sample(list, rule))
                .filter(SegmentPeople.SampleResult::complete);
        if (now.isPresent()) {
            return new PeopleBody(now.get().people(), now.get().subscribed(), null, false);
        }
        return counts.latest(found)
                .map(last -> new PeopleBody(last.people(), last.subscribed(), last.at(), counts.isCounting(found)))
                .orElseGet(() -> new PeopleBody(null, null, null, counts.isCounting(found)));
    }

    /**
     * Creates or replaces a segment. With {@code If-None-Match: *}, only creates it; with {@code If-Match}, only
     * replaces the version that the caller has read.
     */
    @PutMapping("/{segment}")
    ResponseEntity<SegmentBody> put(
            @PathVariable String segment, @RequestBody NewSegment wanted, EntityTags tags, MailingList list) {
        RequestFields fields = new RequestFields();
        Optional<SegmentName> name = fields.required("segment", segment, SegmentName::parse, ListName.RULE);
        String description = fields.line("description", wanted.description());
        RuleJson.Read read = RuleJson.read(wanted.rules());
        refuse(fields, read.faults());
        fields.check();
        SegmentName known = name.orElseThrow();
        Rule rule = Objects.requireNonNull(read.rule());
        return ConditionalWrites.retry("segment " + known, () -> {
            Optional<Versioned<Segment>> before = segments.find(list.name(), known);
            if (before.isPresent() && tags.isCreateOnly()) {
                throw EntityTags.changed();
            }
            before.ifPresentOrElse(stored -> tags.require(stored.etag()), tags::requireNone);
            String etag = before.map(Versioned::etag).orElse(null);
            return answer(list, segments.save(list, known, description, rule, etag), before.isEmpty());
        });
    }

    /** Returns the answer; empty if somebody else saved or deleted the segment meanwhile. */
    private static Optional<ResponseEntity<SegmentBody>> answer(
            MailingList list, SegmentSaveResult result, boolean created) {
        if (result instanceof SegmentSaveResult.Done done) {
            Segment now = done.segment().value();
            ResponseEntity.BodyBuilder answer = created
                    ? ResponseEntity.created(URI.create("/api/v1/lists/" + now.list() + "/segments/" + now.name()))
                    : ResponseEntity.ok();
            return Optional.of(
                    answer.header(HttpHeaders.ETAG, EntityTags.of(done.segment().etag()))
                            .body(SegmentBody.of(now)));
        }
        if (result instanceof SegmentSaveResult.Refused refused) {
            RequestFields fields = new RequestFields();
            refuse(fields, refused.faults());
            fields.check();
        }
        if (result instanceof SegmentSaveResult.TooMany) {
            throw new RefusedCall(ProblemCode.STATE_FORBIDS, "The list has as many segments as it can have.");
        }
        if (result instanceof SegmentSaveResult.Missing && created) {
            throw RefusedCall.noList(list.name());
        }
        return Optional.empty();
    }

    /** Refuses faulty rules. Each refused field is a JSON pointer into the body, as {@code /rules/all/2/value}. */
    private static void refuse(RequestFields fields, List<RuleJson.Fault> faults) {
        faults.forEach(fault ->
                fields.refuse("/rules" + fault.pointer(), fault.reason().words()));
    }

    @DeleteMapping("/{segment}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String segment, EntityTags tags, MailingList list) {
        Versioned<Segment> found = require(list, segment);
        tags.require(found.etag());
        List<Message> waiting = segments.pendingMessages(found.value());
        List<Segment> users = segments.findReferencing(found.value());
        if (!waiting.isEmpty() || !users.isEmpty()) {
            throw new RefusedCall(
                    ProblemCode.STATE_FORBIDS,
                    "It is used by "
                            + (users.isEmpty()
                                    ? "message " + waiting.get(0).ref()
                                    : "segment " + users.get(0).name())
                            + ". Nothing was deleted.");
        }
        if (!segments.delete(found)) {
            throw EntityTags.changed();
        }
    }

    private Versioned<Segment> require(MailingList list, String name) {
        return segments.find(list.name(), name)
                .orElseThrow(() -> RefusedCall.notFound("The list " + list.name() + " has no segment " + name + "."));
    }
}
