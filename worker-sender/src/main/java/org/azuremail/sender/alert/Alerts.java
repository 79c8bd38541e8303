package org.azuremail.sender.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.attention.Cause;
import org.azuremail.attention.ReportedCauses;
import org.azuremail.attention.ReportedCauses.ReportedCausesStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Emails admins about causes that need a person ({@link ReportedCauses} decides when). It checks for causes when
 * something happens that may need a person, every ten minutes while messages are being sent, and otherwise rarely, so
 * that an idle installation costs nothing. The mark is written before the emails leave. If the process dies in between,
 * or no transport answers, the emails are sent again an hour later at the earliest, as long as the cause lasts. So an
 * admin gets no second email within the hour, and is always informed of a lasting cause. One process at a time runs
 * this; if two do, the mark lets only one of them send.
 */
final class Alerts implements ScheduledService {

    /** The pause when nothing is expected; a signal ends it. */
    private static final Duration IDLE_PAUSE = Duration.ofDays(7);

    private static final Duration WHILE_SENDING = Duration.ofMinutes(10);

    private static final Duration REST_ALONE = Duration.ofDays(365);

    private static final Duration AFTER_FAILURE = Duration.ofHours(1);

    /** The shortest pause, long enough for the lease to be released between two runs. */
    private static final Duration MIN_DURATION = Duration.ofMinutes(2);

    /** The shortest time between two checks, however many signals arrive. */
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

    private final Supplier<Check> checks;
    private final ReportedCausesStore store;
    private final Supplier<List<EmailAddress>> admins;
    private final AlertMails mails;
    private final AlertSender alertSender;
    private final Time time;
    private @Nullable Duration checkedElapsed;
    private volatile @Nullable Instant next;

    /**
     * The present state.
     *
     * @param sending whether messages are being sent, so that more causes may arise without a signal
     */
    record Check(List<Cause> causes, boolean sending) {}

    Alerts(
            Supplier<Check> checks,
            ReportedCausesStore store,
            Supplier<List<EmailAddress>> admins,
            AlertMails mails,
            AlertSender alertSender,
            Time time) {
        this.checks = checks;
        this.store = store;
        this.admins = admins;
        this.mails = mails;
        this.alertSender = alertSender;
        this.time = time;
    }

    @Override
    public String name() {
        return Signals.ATTENTION;
    }

    @Override
    public Duration interval() {
        Instant at = next;
        return at == null ? IDLE_PAUSE : Durations.max(Duration.between(time.instant(), at), MIN_DURATION);
    }

    /** A process that runs alone sees everything that happens. */
    @Override
    public Duration restAsOnlyProcess() {
        Duration rest = interval();
        return rest.compareTo(IDLE_PAUSE) < 0 ? rest : REST_ALONE;
    }

    @Override
    public void run() {
        Instant now = time.instant();
        if (checkedElapsed != null && time.elapsed().minus(checkedElapsed).compareTo(CHECK_INTERVAL) < 0) {
            next = now;
            return;
        }
        checkedElapsed = time.elapsed();
        next = now.plus(AFTER_FAILURE);
        Check check = checks.get();
        Instant rested = now.plus(check.sending() ? WHILE_SENDING : IDLE_PAUSE);
        next = report(check.causes(), now).filter(rested::isAfter).orElse(rested);
    }

    /** @return when to check again because of causes about which admins have not been emailed */
    private Optional<Instant> report(List<Cause> causes, Instant now) {
        ReportedCausesStore.StoredCauses known = store.read();
        ReportedCauses.ReportPlan plan = known.causes().plan(causes, now);
        List<EmailAddress> recipients = plan.due().isEmpty() ? List.of() : admins.get();
        List<AlertSender.Ready> ready = alertSender.ready(recipients);
        if (ready.isEmpty()) {
            if (!plan.seen().equals(known.causes())) {
                store.write(known, plan.seen());
            }
            return recipients.isEmpty() ? plan.again().filter(now::isBefore) : Optional.of(now.plus(WHILE_SENDING));
        }
        if (!store.write(known, plan.marked())) {
            return Optional.of(now.plus(MIN_DURATION));
        }
        return send(ready, plan, now).plan(causes, now).again();
    }

    private ReportedCauses send(List<AlertSender.Ready> ready, ReportedCauses.ReportPlan plan, Instant now) {
        boolean answered = false;
        for (AlertSender.Ready one : ready) {
            answered |= alertSender.send(one, mails.lot(one.to(), plan.due(), now));
        }
        if (!answered) {
            return plan.marked();
        }
        return ConditionalWrites.retry("the emails to admins", () -> {
            ReportedCausesStore.StoredCauses known = store.read();
            ReportedCauses sure = known.causes().sure(now);
            return store.write(known, sure) ? Optional.of(sure) : Optional.empty();
        });
    }
}
