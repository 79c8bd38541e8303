package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.azuremail.content.Escaping;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.sender.Baton.FreezePoint;
import org.azuremail.sender.Baton.Wrote;

/** A provider that takes time for each email. It refuses one recipient at first. */
final class SlowProvider implements MailTransport {

    /** The usual size of a lot. */
    static final int LOT = 3;

    static final String REFUSED = "v01@crowd.test";

    private final Baton baton;
    private final Witness witness;
    private final Random random;
    private final int lotSize;
    private final boolean tellsOfEachMail;
    private final boolean stormy;
    private boolean refused;

    SlowProvider(Baton baton, Witness witness, Random random) {
        this(baton, witness, random, LOT, false, false);
    }

    /** @param stormy whether the outcome of whole lots may be unknown */
    SlowProvider(Baton baton, Witness witness, Random random, int lotSize, boolean tellsOfEachMail, boolean stormy) {
        this.baton = baton;
        this.witness = witness;
        this.random = random;
        this.lotSize = lotSize;
        this.tellsOfEachMail = tellsOfEachMail;
        this.stormy = stormy;
    }

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public int lotSize() {
        return lotSize;
    }

    @Override
    public boolean reportsEachEmail() {
        return tellsOfEachMail;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        Wrote handing = baton.wrote();
        long held = witness.holdsTheRange(0);
        baton.point(() -> "calls the provider");
        baton.mayFreeze(FreezePoint.HAND_OVER);
        if (random.nextInt(40) == 0) {
            Unavailable.Kind kind = stormy ? Unavailable.Kind.PAUSE : Unavailable.Kind.WAIT;
            Unavailable busy = new Unavailable(kind, Reason.ofText("busy"), Duration.ofSeconds(10));
            return HandOverResult.notAttempted(lot.mails().size(), busy);
        }
        boolean nobodyKnows = random.nextInt(stormy ? 4 : 60) == 0;
        List<Answer> answers = new ArrayList<>();
        for (int mail = 0; mail < lot.mails().size(); mail++) {
            boolean goesOn = mail == 0 || guard.mayContinue();
            if (goesOn && mail > 0) {
                held = witness.holdsTheRange(held);
            }
            answers.add(goesOn ? take(lot, mail, guard, handing, nobodyKnows) : new Answer.NotAttempted());
        }
        tellTheWitness(lot, answers, handing.generation());
        baton.mayFreeze(FreezePoint.HAND_OVER);
        baton.point(() -> "hears the provider");
        return HandOverResult.answered(answers);
    }

    private void tellTheWitness(MailLot lot, List<Answer> answers, int generation) {
        List<String> doubtful = IntStream.range(0, answers.size())
                .filter(number -> answers.get(number) instanceof Answer.Unknown)
                .mapToObj(number -> lot.mails().get(number).to().address().value())
                .toList();
        if (!doubtful.isEmpty()) {
            witness.areInDoubt(doubtful.get(0), doubtful.get(doubtful.size() - 1), generation);
        }
    }

    private Answer take(MailLot lot, int number, Guard guard, Wrote handing, boolean nobodyKnows) {
        Mail mail = lot.mails().get(number);
        guard.begins(number);
        Answer answer = answer(lot, mail, handing, nobodyKnows);
        guard.answered(number, answer);
        return answer;
    }

    private Answer answer(MailLot lot, Mail mail, Wrote handing, boolean nobodyKnows) {
        String address = mail.to().address().value();
        if (address.equals(REFUSED) && !refused) {
            refused = true;
            return new Answer.Refused("no such user");
        }
        if (random.nextInt(60) == 0) {
            return new Answer.RetryAfter(Duration.ofSeconds(5), "greylisted");
        }
        witness.takes(address, lot.content().subject().merge(mail.fields(), Escaping.ONE_LINE), handing);
        baton.sleep(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(9_000) : random.nextInt(50)));
        if (nobodyKnows || random.nextInt(30) == 0) {
            witness.isInDoubt(address, handing.generation());
            return new Answer.Unknown(Reason.ofText("the connection broke"));
        }
        return new Answer.Accepted("id");
    }
}
