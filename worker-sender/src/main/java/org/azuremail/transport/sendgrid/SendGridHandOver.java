package org.azuremail.transport.sendgrid;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;

/**
 * The hand-over of one lot: one request, and more only if SendGrid rejects it. A rejected group is divided until the
 * bad recipient is alone, but no further when both parts are rejected, because then the cause is not one recipient. A
 * group that is rejected for its size is divided in any case.
 */
final class SendGridHandOver {

    /** Less than the 30 MB that SendGrid takes, in characters of at most three bytes where it matters. */
    private static final int MAX_REQUEST_BYTES = 28_000_000;

    private final SendGridClient client;
    private final SendGridTemplate template;
    private final Guard guard;
    private final EmailAddress from;
    private final List<Answer> answers;
    private final List<SendGridTemplate.Filled> filled;
    private Optional<Unavailable> unavailable = Optional.empty();
    private boolean stopped;
    private boolean asked;
    private int largest = MAX_REQUEST_BYTES;

    SendGridHandOver(SendGridClient client, SendGridTemplate template, MailLot lot, Guard guard) {
        this.client = client;
        this.template = template;
        this.guard = guard;
        this.from = lot.content().from().address();
        this.filled = lot.mails().stream().map(template::fill).toList();
        this.answers = new ArrayList<>(Collections.nCopies(lot.mails().size(), new Answer.NotAttempted()));
    }

    HandOverResult run() {
        if (from.needsSmtpUtf8()) {
            Reason reason = Reason.of(SendGridReason.SENDGRID_FROM);
            return HandOverResult.notAttempted(
                    answers.size(), new Unavailable(Unavailable.Kind.PAUSE, reason, SendGridReply.PAUSE));
        }
        List<Integer> together = new ArrayList<>();
        List<Integer> alone = new ArrayList<>();
        for (int place = 0; place < answers.size(); place++) {
            if (filled.get(place).mail().to().address().needsSmtpUtf8()) {
                answers.set(place, new Answer.Refused(Reason.of(SendGridReason.SENDGRID_ASCII)));
            } else if (template.fits(filled.get(place))) {
                together.add(place);
            } else {
                alone.add(place);
            }
        }
        if (!together.isEmpty()) {
            handOver(together);
        }
        alone.forEach(place -> handOver(List.of(place)));
        boolean untaken = answers.stream().anyMatch(Answer.NotAttempted.class::isInstance);
        return new HandOverResult(answers, untaken ? unavailable : Optional.empty());
    }

    private void handOver(List<Integer> places) {
        request(places).ifPresent(rejection -> divide(places, rejection, true));
    }

    /** Sends one group and notes the answer, unless it is a rejection, which the caller judges. */
    private Optional<SendGridReply.Rejected> request(List<Integer> places) {
        stopped = stopped || (asked && !guard.mayContinue());
        if (stopped) {
            return Optional.empty();
        }
        asked = true;
        String json = json(places);
        if (places.size() > 1 && json.length() > largest / 3 && bytes(json) > largest) {
            return inHalves(places);
        }
        SendGridReply reply = client.send(json);
        if (reply instanceof SendGridReply.Rejected rejected) {
            if (rejected.tooLarge() && places.size() > 1) {
                largest = bytes(json) - 1;
                return inHalves(places);
            }
            return Optional.of(rejected);
        }
        if (reply instanceof SendGridReply.Taken taken) {
            answer(places, new Answer.Accepted(taken.requestId()));
        } else if (reply instanceof SendGridReply.InDoubt doubt) {
            answer(places, new Answer.Unknown(doubt.reason()));
            close(new Unavailable(Unavailable.Kind.WAIT, doubt.reason(), Duration.ofSeconds(10)));
        } else if (reply instanceof SendGridReply.Closed closed) {
            close(closed.why());
        }
        return Optional.empty();
    }

    private String json(List<Integer> places) {
        SendGridTemplate.Filled first = filled.get(places.get(0));
        return places.size() == 1 && !template.fits(first)
                ? template.requestOfItsOwn(first.mail())
                : template.request(places.stream().map(filled::get).toList());
    }

    private static int bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    private Optional<SendGridReply.Rejected> inHalves(List<Integer> places) {
        int half = places.size() / 2;
        handOver(places.subList(0, half));
        handOver(places.subList(half, places.size()));
        return Optional.empty();
    }

    /**
     * Divides a group that was rejected.
     *
     * @param byName whether to separate the recipients that SendGrid names; not after it took one of them, because
     *     then its names are wrong
     */
    private void divide(List<Integer> places, SendGridReply.Rejected rejection, boolean byName) {
        if (places.size() == 1) {
            answer(places, new Answer.Refused(rejection.reason()));
            return;
        }
        List<Integer> named = chosen(places, rejection.named(), true);
        List<Integer> others = chosen(places, rejection.named(), false);
        boolean apart = byName && !named.isEmpty() && !others.isEmpty();
        List<Integer> first = apart ? named : places.subList(0, places.size() / 2);
        List<Integer> second = apart ? others : places.subList(places.size() / 2, places.size());
        Optional<SendGridReply.Rejected> ofFirst = request(first);
        Optional<SendGridReply.Rejected> ofSecond = request(second);
        if (!apart && ofFirst.isPresent() && ofSecond.isPresent()) {
            answer(first, new Answer.Refused(ofFirst.get().reason()));
            answer(second, new Answer.Refused(ofSecond.get().reason()));
            return;
        }
        ofFirst.ifPresent(again -> divide(first, again, false));
        boolean namesReliable = apart && ofFirst.isPresent();
        ofSecond.ifPresent(again -> divide(second, again, namesReliable));
    }

    private static List<Integer> chosen(List<Integer> places, Set<Integer> named, boolean in) {
        return IntStream.range(0, places.size())
                .filter(i -> named.contains(i) == in)
                .mapToObj(places::get)
                .toList();
    }

    private void answer(List<Integer> places, Answer answer) {
        places.forEach(place -> answers.set(place, answer));
    }

    private void close(Unavailable why) {
        stopped = true;
        unavailable = Optional.of(why);
    }
}
