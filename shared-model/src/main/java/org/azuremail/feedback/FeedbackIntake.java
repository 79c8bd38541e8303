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
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.range.WaitingRow;
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
 * Takes reports about emails after they were sent: the archive first, where Unknown becomes Sent and feedback stands beside
 * Sent; then the suppressions; then the counts anew. Events may come twice, late and in any order: the end is the same. A death
 * in between costs nothing if the events come again, and the counts follow the archive even if they do not.
 */
public record FeedbackIntake(
        MailHandles handles,
        DeliveryStore deliveries,
        OutcomeArchive archive,
        RangeRewriter rewriter,
        FiguresWanted figures,
        Suppressions suppressions,
        Time time) {

    /**
     * Takes events, of any messages. Two storage calls for all of a range, where they tell nothing new.
     *
     * @return how many of them are about an email that is on record
     * @throws org.azuremail.storage.StorageException when they have to come again
     */
    public int take(List<MailEvent> events) {
        int known = 0;
        Map<RangeKey, List<MailEvent>> byRange = events.stream()
                .collect(Collectors.groupingBy(
                        event -> event.handle().range(), LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<RangeKey, List<MailEvent>> some : byRange.entrySet()) {
            Optional<Range> range = deliveries.range(some.getKey()).map(Versioned::value);
            known += range.map(there -> take(there, some.getValue())).orElse(0);
        }
        return known;
    }

    private int take(Range range, List<MailEvent> events) {
        MessageRef ref = range.key().shard().ref();
        Map<String, Recorded> standing = deliveries.recorded(range);
        Map<Long, Recorded> byRecipient = new HashMap<>();
        standing.forEach((row, recorded) -> byRecipient.put(handles.recipient(ref, row), recorded));
        if (events.stream()
                .anyMatch(event -> !byRecipient.containsKey(event.handle().recipient()))) {
            deliveries.waiting(range).stream()
                    .filter(row -> !standing.containsKey(row.rowKey()))
                    .forEach(row -> byRecipient.put(handles.recipient(ref, row.rowKey()), waiting(row)));
        }
        Map<String, Recorded> news = new TreeMap<>();
        List<Told> told = new ArrayList<>();
        int known = 0;
        for (MailEvent event : events) {
            Recorded before = byRecipient.get(event.handle().recipient());
            if (before != null) {
                known++;
                Recorded now =
                        before.known(event.handle().generation(), time.instant(), event.providerId(), event.feedback());
                news.merge(before.rowKey(), now, Recorded::merge);
                event.told()
                        .ifPresent(
                                feedback -> told.add(new Told(before.recipient().address(), event, feedback)));
            }
        }
        record(range, standing, news);
        told.forEach(this::suppress);
        if (!told.isEmpty()) {
            figures.ask(ref);
        }
        return known;
    }

    /** As it stands until something is known of it; never recorded so. */
    private Recorded waiting(WaitingRow row) {
        return Recorded.of(row, Outcome.UNKNOWN, "", time.instant());
    }

    private record Told(EmailAddress address, MailEvent event, Feedback feedback) {}

    private void record(Range range, Map<String, Recorded> standing, Map<String, Recorded> news) {
        List<Recorded> changes = news.values().stream()
                .filter(now -> {
                    Recorded before = standing.get(now.rowKey());
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

    private void suppress(Told told) {
        Feedback feedback = told.feedback();
        String why = feedback.reason().text(0);
        switch (feedback.kind()) {
            case HARD_BOUNCE ->
                suppressions.suppress(told.address(), SuppressionReason.SUPPRESSED_BOUNCE, feedback.at(), "", why);
            case COMPLAINT ->
                suppressions.suppress(told.address(), SuppressionReason.SUPPRESSED_COMPLAINT, feedback.at(), "", why);
            case BLOCKED -> {}
            case SOFT_BOUNCE -> {
                MailHandle email = told.event().handle();
                String name = email.range().shard().ref() + "." + email.generation();
                suppressions.softBounce(told.address(), name, feedback.at());
            }
        }
    }

    /**
     * A report about one email.
     *
     * @param feedback a bounce or a complaint; {@code null} when it was only accepted
     * @param providerId how the provider names it; may be empty
     */
    public record MailEvent(MailHandle handle, @Nullable Feedback feedback, String providerId) {

        Optional<Feedback> told() {
            return Optional.ofNullable(feedback);
        }
    }
}
