package org.azuremail.feedback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.feedback.MailHandles.MailHandle;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Versioned;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Records reports about emails after they were sent: first in the archive, where Unknown becomes Sent and Sent gets the
 * feedback, then as suppressions, and finally in the counts. Events may be repeated, late and in any order, with the
 * same result. A crash in between does no harm if the events are sent again; the counts follow the archive in any case.
 */
public record FeedbackRecorder(
        MailHandles handles,
        DeliveryStore deliveries,
        OutcomeArchive archive,
        RangeRewriter rewriter,
        FigureRequests figures,
        Suppressions suppressions,
        Time time) {

    /**
     * Records events of any messages. Events of one range that change nothing cost two storage calls together.
     *
     * @return how many of the events are about a known email
     * @throws org.azuremail.storage.StorageException if the events have to be sent again
     */
    public int record(List<MailEvent> events) {
        int known = 0;
        Map<RangeKey, List<MailEvent>> byRange = events.stream()
                .collect(Collectors.groupingBy(
                        event -> event.handle().range(), LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<RangeKey, List<MailEvent>> some : byRange.entrySet()) {
            Optional<Range> range = deliveries.range(some.getKey()).map(Versioned::value);
            known += range.map(there -> record(there, some.getValue())).orElse(0);
        }
        return known;
    }

    private int record(Range range, List<MailEvent> events) {
        MessageRef ref = range.key().shard().ref();
        Map<String, RecordedOutcome> existing = deliveries.recorded(range);
        Map<Long, RecordedOutcome> byRecipient = new HashMap<>();
        existing.forEach((row, recorded) -> byRecipient.put(handles.recipient(ref, row), recorded));
        if (events.stream()
                .anyMatch(event -> !byRecipient.containsKey(event.handle().recipient()))) {
            deliveries.waiting(range).stream()
                    .filter(row -> !existing.containsKey(row.rowKey()))
                    .forEach(row -> byRecipient.put(handles.recipient(ref, row.rowKey()), waiting(row)));
        }
        Map<String, RecordedOutcome> news = new TreeMap<>();
        List<Runnable> suppressing = new ArrayList<>();
        int known = 0;
        for (MailEvent event : events) {
            RecordedOutcome before = byRecipient.get(event.handle().recipient());
            if (before != null) {
                known++;
                Feedback feedback = event.feedback();
                RecordedOutcome now =
                        before.reportedSent(event.handle().generation(), time.instant(), event.providerId(), feedback);
                news.merge(before.rowKey(), now, RecordedOutcome::merge);
                if (feedback != null) {
                    suppressing.add(() -> suppress(before.recipient().address(), event.handle(), feedback));
                }
            }
        }
        record(range, existing, news);
        suppressing.forEach(Runnable::run);
        if (!suppressing.isEmpty()) {
            figures.request(ref);
        }
        return known;
    }

    /**
     * Returns the outcome of an email without a recorded one, as a basis for the event. It is never recorded like this.
     */
    private RecordedOutcome waiting(EmailRow row) {
        return RecordedOutcome.of(row, Outcome.UNKNOWN, "", time.instant());
    }

    private void record(Range range, Map<String, RecordedOutcome> existing, Map<String, RecordedOutcome> news) {
        List<RecordedOutcome> changes = news.values().stream()
                .filter(now -> {
                    RecordedOutcome before = existing.get(now.rowKey());
                    return before == null || !before.merge(now).toValues().equals(before.toValues());
                })
                .toList();
        if (!changes.isEmpty()) {
            Set<String> changed = archive.record(range.key().shard(), changes).changed();
            if (!changed.isEmpty()) {
                rewriter.recount(range.key().shard(), changed);
            }
        }
    }

    private void suppress(EmailAddress address, MailHandle email, Feedback feedback) {
        String why = feedback.reason().text(0);
        switch (feedback.kind()) {
            case HARD_BOUNCE ->
                suppressions.suppress(address, SuppressionReason.SUPPRESSED_BOUNCE, feedback.at(), "", why);
            case COMPLAINT ->
                suppressions.suppress(address, SuppressionReason.SUPPRESSED_COMPLAINT, feedback.at(), "", why);
            case BLOCKED -> {}
            case SOFT_BOUNCE ->
                suppressions.softBounce(address, email.range().shard().ref(), email.generation(), feedback.at());
        }
    }

    /**
     * A report about one email.
     *
     * @param feedback a bounce or a complaint; {@code null} if the email was only accepted
     * @param providerId the provider's id of the email; may be empty
     */
    public record MailEvent(MailHandle handle, @Nullable Feedback feedback, String providerId) {}
}
