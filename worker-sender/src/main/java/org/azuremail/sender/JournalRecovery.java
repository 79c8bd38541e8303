package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.azuremail.app.Daemons;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.journal.Journal.TakenMail;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.StorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Reads the journals of this host's dead processes when a sender starts. An email that was accepted according to a
 * journal becomes Sent, even if another sender has taken over its lot and recorded Unknown. Nothing else is recorded
 * from the journals, because another sender may since have handed over an email that the dead process did not begin.
 * The work can be repeated: while the storage is away, it is tried again beside the sender's other work, and the
 * journals are kept until it succeeds.
 */
final class JournalRecovery implements SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Pattern LOCATION = Pattern.compile("mail\\.(\\d+)\\.(\\d+) \\S+ generation (\\d+)");

    private final SenderContext context;
    private @Nullable Thread later;

    JournalRecovery(SenderContext context) {
        this.context = context;
    }

    /** The shard of a lot, and the generation in which the lot was handed over. */
    private record LotLocation(ShardKey shard, int generation) {}

    /** Returns the text that {@link #parse} reads. */
    static String location(RangeKey range, int generation) {
        return range.shard().partition() + " " + range.row() + " generation " + generation;
    }

    private static Optional<LotLocation> parse(String location) {
        Matcher parts = LOCATION.matcher(location);
        return parts.matches()
                ? Optional.of(new LotLocation(
                        new ShardKey(new MessageRef(Long.parseLong(parts.group(2))), Integer.parseInt(parts.group(1))),
                        Integer.parseInt(parts.group(3))))
                : Optional.empty();
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            recordAnswers();
        } catch (StorageException away) {
            LOG.warn(
                    "answers in the journals of dead senders are recorded when the storage is back: {}",
                    away.toString());
            later = Daemons.named("late-answers").newThread(this::recordLater);
            later.start();
        }
    }

    /** The pauses do not grow, because the storage client has already paused between its own tries. */
    private void recordLater() {
        while (true) {
            try {
                context.time().sleep(PAUSE);
                recordAnswers();
                return;
            } catch (InterruptedException stopped) {
                return;
            } catch (RuntimeException away) {
                LOG.debug("answers in the journals of dead senders are not recorded yet", away);
            }
        }
    }

    @Override
    public void destroy() {
        if (later != null) {
            later.interrupt();
        }
    }

    private void recordAnswers() {
        context.journal().acceptedForDeadProcesses().stream()
                .collect(Collectors.groupingBy(mail -> parse(mail.location())))
                .forEach((location, mails) -> location.ifPresent(existing -> recordAnswers(existing, mails)));
        context.journal().markReported();
    }

    private void recordAnswers(LotLocation location, List<TakenMail> mails) {
        Optional<Message> message = context.messages().find(location.shard().ref());
        Map<String, TakenMail> byRow = mails.stream()
                .filter(mail -> message.filter(one -> one.created().at().isBefore(mail.notAfter()))
                        .isPresent())
                .collect(Collectors.toMap(TakenMail::row, mail -> mail, (one, same) -> one));
        List<RecordedOutcome> sent = byRow.values().stream()
                .flatMap(mail -> sent(location, mail).stream())
                .toList();
        if (!sent.isEmpty()) {
            Set<String> changed =
                    context.archive().record(location.shard(), sent).changed();
            context.rewriter().recount(location.shard(), changed);
            LOG.info("{} mails of {} are Sent, as a dead sender's journal says", sent.size(), location.shard());
        }
    }

    /** Returns empty when the outcome is known already or the recipient does not wait for the email. */
    private Optional<RecordedOutcome> sent(LotLocation location, TakenMail mail) {
        Optional<RecordedOutcome> known = context.deliveries().outcome(location.shard(), mail.row());
        if (known.isPresent()) {
            return known.filter(one -> one.outcome() != Outcome.SENT)
                    .map(one -> new RecordedOutcome(
                            mail.row(),
                            Outcome.SENT,
                            location.generation(),
                            context.time().instant(),
                            mail.providerId(),
                            one.values()));
        }
        return context.deliveries()
                .waitingRow(location.shard(), mail.row())
                .map(row -> RecordedOutcome.of(
                        row, Outcome.SENT, mail.providerId(), context.time().instant()))
                .map(one -> one.inGeneration(location.generation()));
    }
}
