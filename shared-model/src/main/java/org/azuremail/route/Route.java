package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.Tokens;
import org.azuremail.limit.Wait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;

/**
 * A transport under the name that the settings give it, with its limits and its breaker. Safe for use from many threads.
 */
public final class Route {

    /** Nobody goes elsewhere for so little. */
    public static final Duration SHORT_WAIT = Duration.ofSeconds(2);

    private final String name;
    private final MailTransport transport;
    private final Tokens limit;
    private final Breaker breaker;
    private final EmailCounts counts;
    private final WhenFull whenFull;
    private final InTheAir inTheAir;

    /** @param counts hears of every answer */
    public Route(
            String name,
            MailTransport transport,
            Tokens limit,
            Breaker breaker,
            WhenFull whenFull,
            EmailCounts counts) {
        this.counts = counts;
        this.name = name;
        this.transport = transport;
        this.limit = limit;
        this.breaker = breaker;
        this.whenFull = whenFull;
        this.inTheAir = new InTheAir(transport.concurrency(), transport.lotSize(), transport.tellsOfEachMail());
    }

    public String name() {
        return name;
    }

    public MailTransport transport() {
        return transport;
    }

    /** For a single mail that somebody waits for: all of the limits. */
    public Tokens limit() {
        return limit;
    }

    /** For the mails of messages of a class with this share. */
    public Tokens limit(MessageShare share) {
        return limit.forMessages(share);
    }

    /**
     * Returns whether mail that would have to wait so long for a limit of this transport is to go by another. A short wait only
     * spreads the mails over a second.
     */
    public boolean givesWay(Wait wait) {
        return whenFull == WhenFull.NEXT && wait.duration().compareTo(SHORT_WAIT) > 0;
    }

    /**
     * Returns how many of so many mails of a message to hand over by it at once: no more than it takes to keep it busy, because
     * all of a lot is in doubt when a process dies in it.
     */
    public int atOnce(int mails, MessageShare share) {
        return limit(share).atOnce(Math.min(mails, inTheAir.lot()));
    }

    /** A place among the lots that go out at the same time, to be given back; false when all are taken. */
    public boolean enter() {
        return inTheAir.enter();
    }

    /** The answers of a lot are recorded, and it still has its place: they teach how many to hand over at a time. */
    public void recorded(HandOver said) {
        if (said.unavailable().isEmpty()) {
            inTheAir.recorded(said.answers().size(), breaker.elapsed());
        }
    }

    /** Gives a place back. */
    public void leave() {
        inTheAir.leave();
    }

    /** Whether the breaker lets a lot through, and if so, whether the transport is ready for one. */
    Optional<Unavailable> ready(String who, boolean alone) {
        Optional<Unavailable> shut = breaker.shut(who);
        return shut.isPresent() ? shut : prepare(alone);
    }

    /** Returns whether the breaker that refused a lot is closed by now; one storage call, where it did. */
    boolean openedAgain() {
        return breaker.closedMeanwhile();
    }

    /** Ignores the breaker, because somebody may have repaired what it waits for. */
    Optional<Unavailable> prepare(boolean alone) {
        Optional<Unavailable> unavailable = transport.prepare();
        unavailable.ifPresent(why -> refused(why, alone));
        return unavailable;
    }

    /**
     * A transport without a stand-in that needs a person pauses messages; a person who resumes one expects it to be tried at
     * once.
     */
    private void refused(Unavailable why, boolean alone) {
        if (!alone || why.kind() == Unavailable.Kind.WAIT) {
            breaker.unavailable(why);
        }
    }

    /** Tells the breaker what came of a lot. Never throws: what was answered is recorded already, or is about to be. */
    void heard(HandOver handOver, boolean alone) {
        counts.add(handOver);
        Optional<Unavailable> closed = handOver.unavailable();
        boolean forEveryLot = closed.filter(why -> why.asked() || why.kind() == Unavailable.Kind.PAUSE)
                .isPresent();
        if (!forEveryLot && handOver.answers().stream().anyMatch(Route::spoken)) {
            breaker.took();
        } else if (!forEveryLot && handOver.answers().stream().anyMatch(Answer.Unknown.class::isInstance)) {
            breaker.unknown(reason(handOver));
        } else {
            closed.ifPresent(why -> refused(why, alone));
        }
    }

    /**
     * Returns whether the provider answered this process as it should, for some mail, at that moment or later, and its breaker
     * is closed: what becomes of another mail is about that one.
     */
    public boolean wellSince(Instant moment) {
        return breaker.wellSince(moment);
    }

    private static boolean spoken(Answer answer) {
        return answer instanceof Answer.Accepted
                || answer instanceof Answer.Refused
                || (answer instanceof Answer.RetryAfter retry && !retry.broke());
    }

    private static Reason reason(HandOver handOver) {
        return handOver.answers().stream()
                .filter(Answer.Unknown.class::isInstance)
                .map(answer -> ((Answer.Unknown) answer).reason())
                .findFirst()
                .orElse(Reason.NONE);
    }
}
