package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.limit.TokenSource;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.jspecify.annotations.Nullable;

/**
 * A transport under its name in the settings, with its limits and its breaker. Safe for use from many threads.
 *
 * @param limit the whole limits, for a single email that a person waits for
 */
public record Route(
        String name,
        MailTransport transport,
        TokenSource limit,
        Breaker breaker,
        WhenFull whenFull,
        EmailCounts counts,
        InFlightLimit inFlightLimit) {

    /** A provider that worked for others within this time takes emails from this installation. */
    private static final Duration LATELY = Duration.ofHours(1);

    /** For a wait as short as this, no other transport is asked. */
    public static final Duration SHORT_WAIT = Duration.ofSeconds(2);

    public Route(
            String name,
            MailTransport transport,
            TokenSource limit,
            Breaker breaker,
            WhenFull whenFull,
            EmailCounts counts) {
        this(
                name,
                transport,
                limit,
                breaker,
                whenFull,
                counts,
                new InFlightLimit(transport.concurrency(), transport.lotSize(), transport.reportsEachEmail()));
    }

    public TokenSource limit(MessageShare share) {
        return limit.forMessages(share);
    }

    /**
     * Returns whether emails that would have to wait this long for a limit of this transport should leave by another
     * one. A short wait only spreads the emails over a second.
     */
    public boolean shouldOverflow(RateLimitWait wait) {
        return whenFull == WhenFull.NEXT && wait.duration().compareTo(SHORT_WAIT) > 0;
    }

    /**
     * Returns how many of these emails of a message to hand over at once: no more than it takes to keep the transport
     * busy, because the whole lot is in doubt if the process dies.
     */
    public int maxAtOnce(int mails, MessageShare share) {
        return limit(share).maxAtOnce(Math.min(mails, inFlightLimit.lot()));
    }

    boolean enter(int max) {
        return inFlightLimit.tryAcquire(max, breaker.elapsed());
    }

    /** Called after the answers of a lot were recorded, while it still has its place. */
    public void recorded(HandOverResult handOver) {
        if (handOver.unavailable().isEmpty()) {
            inFlightLimit.recorded(handOver.answers().size(), breaker.elapsed());
        }
    }

    public void leave() {
        inFlightLimit.release(breaker.elapsed());
    }

    /**
     * Returns whether a lot took its place or gave it back within this time, so that the next place may soon be free.
     */
    public boolean movedWithin(Duration time) {
        return inFlightLimit.movedSince(breaker.elapsed().minus(time));
    }

    /** Returns why the breaker or the transport does not let a lot through; empty if both do. */
    Optional<Unavailable> ready(Attempt attempt, boolean alone) {
        Optional<Unavailable> shut = breaker.checkAllowed(attempt.who());
        return shut.isPresent() ? shut : prepare(attempt, alone);
    }

    /**
     * Asks the transport regardless of the breaker, because an admin may have repaired the fault that the breaker waits
     * for.
     */
    Optional<Unavailable> prepare(Attempt attempt, boolean alone) {
        Optional<Unavailable> unavailable = transport.prepare(attempt::mayWait);
        unavailable.ifPresent(why -> refused(why, alone));
        return unavailable;
    }

    /**
     * Reports a refusal to the breaker, except when a transport without an alternative needs an admin: in that case
     * messages are paused, and the admin who resumes one expects the transport to be tried at once. A refusal of one
     * message says nothing about others.
     */
    private void refused(Unavailable why, boolean alone) {
        if (why.kind() == Unavailable.Kind.WAIT || (!alone && why.kind() == Unavailable.Kind.PAUSE)) {
            breaker.recordUnavailable(why);
        }
    }

    /**
     * Interprets refusals that concern either this installation or the recipients, if every email of a lot has an
     * answer. If the provider worked for others lately, it breaks off at these recipients; otherwise it takes nothing
     * from this installation.
     *
     * @param since when it first broke off at one of them; {@code null} for this moment
     */
    public HandOverResult interpret(HandOverResult handOver, @Nullable Instant since) {
        Instant first = since == null ? breaker.instant() : since;
        boolean theirs = handOver.unavailable()
                        .filter(why -> why.kind() == Unavailable.Kind.PAUSE)
                        .isPresent()
                && allAnswered(handOver)
                && healthySince(first.minus(LATELY));
        return theirs ? HandOverResult.answered(handOver.answers()) : handOver;
    }

    /**
     * Returns whether to believe a transport that says that it is unavailable. If it refused only recipients whom it
     * had refused before, other recipients have two minutes to show whether the transport or these recipients are the
     * cause. Other messages show nothing about a refusal of this message.
     */
    public boolean believesUnavailable(HandOverResult handOver, @Nullable Instant since) {
        return handOver.refusesMessage() || since == null || !allAnswered(handOver) || breaker.stillInDoubt();
    }

    private static boolean allAnswered(HandOverResult handOver) {
        return handOver.answers().stream().noneMatch(Answer.NotAttempted.class::isInstance);
    }

    /**
     * Reports the result of a lot to the breaker. Never throws, because the answers either are recorded already or
     * still have to be.
     */
    void report(HandOverResult handOver, boolean alone) {
        counts.add(handOver);
        Optional<Unavailable> closed = handOver.unavailable();
        boolean forEveryLot = closed.filter(why -> why.asked() || why.kind() == Unavailable.Kind.PAUSE)
                .isPresent();
        Optional<Answer.Unknown> unknown = handOver.answers().stream()
                .filter(Answer.Unknown.class::isInstance)
                .map(Answer.Unknown.class::cast)
                .findFirst();
        if (!forEveryLot && handOver.answers().stream().anyMatch(Route::spoken)) {
            breaker.recordSuccess();
        } else if (!forEveryLot && unknown.isPresent()) {
            breaker.recordUnknown(unknown.get().reason());
        } else {
            closed.ifPresent(why -> refused(why, alone));
        }
    }

    /**
     * Returns whether the provider answered this process properly for some email, at that moment or later, and its
     * breaker is closed. If so, problems with another email concern only that email.
     */
    public boolean healthySince(Instant moment) {
        return breaker.healthySince(moment);
    }

    private static boolean spoken(Answer answer) {
        return answer instanceof Answer.Accepted
                || answer instanceof Answer.Refused
                || (answer instanceof Answer.RetryAfter retry && !retry.interrupted());
    }
}
