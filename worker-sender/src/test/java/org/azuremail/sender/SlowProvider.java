package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.azuremail.content.Escaping;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.sender.Baton.FreezePoint;
import org.azuremail.sender.Baton.Wrote;

/** A provider that takes its time, mail by mail; one recipient is refused at first. */
final class SlowProvider implements MailTransport {

    static final int LOT = 3;
    static final String REFUSED = "v01@crowd.test";

    private final Baton baton;
    private final Witness witness;
    private final Random random;
    private boolean refused;

    SlowProvider(Baton baton, Witness witness, Random random) {
        this.baton = baton;
        this.witness = witness;
        this.random = random;
    }

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public int lotSize() {
        return LOT;
    }

    @Override
    public HandOver handOver(MailLot lot, Guard guard) {
        Wrote handing = baton.wrote();
        baton.point(() -> "calls the provider");
        baton.mayFreeze(FreezePoint.HAND_OVER);
        if (random.nextInt(40) == 0) {
            Unavailable busy = new Unavailable(Unavailable.Kind.WAIT, "busy", Duration.ofSeconds(10));
            return HandOver.untaken(lot.mails().size(), busy);
        }
        List<Answer> answers = new ArrayList<>();
        for (Mail mail : lot.mails()) {
            boolean goesOn = answers.isEmpty() || guard.mayContinue();
            answers.add(goesOn ? take(lot, mail, handing) : new Answer.Untaken());
        }
        baton.mayFreeze(FreezePoint.HAND_OVER);
        baton.point(() -> "hears the provider");
        return HandOver.answered(answers);
    }

    private Answer take(MailLot lot, Mail mail, Wrote handing) {
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
        if (random.nextInt(30) == 0) {
            witness.isInDoubt(address, handing.generation());
            return new Answer.Unknown("the connection broke");
        }
        return new Answer.Accepted("id");
    }
}
