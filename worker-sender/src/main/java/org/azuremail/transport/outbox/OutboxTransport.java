package org.azuremail.transport.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;

/** Stores every email in the outbox as it would have been sent. */
public record OutboxTransport(OutboxStore outbox) implements MailTransport {

    /** The size of one batch of the store. */
    private static final int LOT = 99;

    private static final Duration WAIT = Duration.ofSeconds(10);

    @Override
    public int lotSize() {
        return LOT;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        try {
            return handOver(outbox.store(lot), lot.mails().size());
        } catch (IllegalArgumentException tooLarge) {
            return oneByOne(lot, guard);
        }
    }

    private static HandOverResult handOver(OutboxStore.StoreResult result, int mails) {
        Answer unsure = new Answer.Unknown(Reason.of(ReasonCode.OUTBOX_UNSURE));
        int untaken = mails - result.certain() - result.doubtful();
        List<Answer> answers = new ArrayList<>(mails);
        answers.addAll(Collections.nCopies(result.certain(), new Answer.Accepted(null)));
        answers.addAll(Collections.nCopies(result.doubtful(), unsure));
        answers.addAll(Collections.nCopies(untaken, new Answer.NotAttempted()));
        return new HandOverResult(answers, untaken > 0 ? Optional.of(storageFails(result)) : Optional.empty());
    }

    private static Unavailable storageFails(OutboxStore.StoreResult result) {
        String reason = result.failure().map(Throwable::getMessage).orElse("");
        return new Unavailable(Unavailable.Kind.WAIT, Reason.of(ReasonCode.OUTBOX_UNWRITABLE, reason), WAIT);
    }

    /** Stores the emails one by one, to find the email whose values fit no row, so that the others are stored. */
    private HandOverResult oneByOne(MailLot lot, Guard guard) {
        if (lot.mails().size() == 1) {
            return HandOverResult.same(1, new Answer.Refused(Reason.of(ReasonCode.OUTBOX_TOO_LARGE)));
        }
        List<Answer> answers = new ArrayList<>();
        Optional<Unavailable> unavailable = Optional.empty();
        for (Mail mail : lot.mails()) {
            if (unavailable.isPresent()) {
                answers.add(new Answer.NotAttempted());
            } else {
                HandOverResult one = handOver(new MailLot(lot.content(), List.of(mail)), guard);
                answers.addAll(one.answers());
                unavailable = one.unavailable();
            }
        }
        return new HandOverResult(answers, unavailable);
    }
}
