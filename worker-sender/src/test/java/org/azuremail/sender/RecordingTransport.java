package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.azuremail.content.Escaping;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.MessageRef;
import org.jspecify.annotations.Nullable;

/** A provider that records each hand-over and answers as the test tells it. */
final class RecordingTransport implements MailTransport {

    /** How often each email was accepted, by message (its content) and address. */
    private final Map<String, Integer> taken = new TreeMap<>();

    private final String name;
    private final int lotSize;
    private BiFunction<Mail, Integer, Answer> answers = (mail, attempt) -> new Answer.Accepted("id");
    private Optional<Unavailable> unavailable = Optional.empty();
    private Optional<Unavailable> unavailableWhenAsked = Optional.empty();
    private final Map<String, Integer> attempts = new TreeMap<>();
    private Runnable beforeHandOver = () -> {};
    private Runnable betweenMails = () -> {};
    private Runnable afterHandOver = () -> {};
    private final Map<String, String> links = new TreeMap<>();
    private final Set<String> subjects = new TreeSet<>();
    private int largestHtml;
    private int handOvers;
    private boolean inFlight;
    private Consumer<BooleanSupplier> preparing = mayWait -> {};
    private int closingCall = Integer.MAX_VALUE;
    private int mailsBeforeClosing;
    private @Nullable Unavailable closedFor;
    private @Nullable Unavailable refusal;

    RecordingTransport(int lotSize) {
        this("recording", lotSize);
    }

    RecordingTransport(String name, int lotSize) {
        this.name = name;
        this.lotSize = lotSize;
    }

    /** Sets the answer about an email, by the number of its attempt, which counts from 1. */
    void answer(BiFunction<Mail, Integer, Answer> newAnswers) {
        answers = newAnswers;
    }

    void unavailable(Optional<Unavailable> now) {
        unavailable = now;
    }

    /** Makes the transport accept nothing, and report this only when it gets a lot. */
    void unavailableWhenAsked(Optional<Unavailable> now) {
        unavailableWhenAsked = now;
    }

    /** Makes the transport accept this many more emails in its n-th call, and then none until it is available again. */
    void closesAt(int call, int mails, Unavailable why) {
        closingCall = call;
        mailsBeforeClosing = mails;
        closedFor = why;
    }

    /** Makes each hand-over break off for this reason; {@code null} ends that. */
    void refusesEveryLot(@Nullable Unavailable why) {
        refusal = why;
    }

    /** Runs the action inside each call, before any email is accepted. */
    void beforeHandOver(Runnable action) {
        beforeHandOver = action;
    }

    /** Runs the action inside each call, before each email but the first. Then the transport asks the guard. */
    void betweenMails(Runnable action) {
        betweenMails = action;
    }

    /** Runs the action inside each call, after all emails are accepted and before the answer. */
    void afterHandOver(Runnable action) {
        afterHandOver = action;
    }

    Map<String, Integer> taken() {
        return taken;
    }

    int timesTaken(String messageRef, String address) {
        return taken.getOrDefault(messageRef + " " + address, 0);
    }

    int attempts(MessageRef ref, String address) {
        return attempts.getOrDefault(ref + " " + address, 0);
    }

    /** Returns the unsubscribe link in the last email to the address. */
    String linkOf(MessageRef ref, String address) {
        return links.getOrDefault(ref + " " + address, "");
    }

    /** Returns the merged subjects of all emails that were handed over. */
    Set<String> subjects() {
        return subjects;
    }

    int largestHtml() {
        return largestHtml;
    }

    int handOvers() {
        return handOvers;
    }

    /** Runs the action whenever the transport is prepared, with the condition under which it may wait. */
    void preparing(Consumer<BooleanSupplier> preparation) {
        preparing = preparation;
    }

    boolean inFlight() {
        return inFlight;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int lotSize() {
        return lotSize;
    }

    @Override
    public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        preparing.accept(mayWait);
        return unavailable;
    }

    @Override
    public synchronized HandOverResult handOver(MailLot lot, Guard guard) {
        handOvers++;
        if (handOvers == closingCall) {
            unavailableWhenAsked = Optional.ofNullable(closedFor);
            return partly(lot);
        }
        if (unavailableWhenAsked.isPresent()) {
            return HandOverResult.notAttempted(lot.mails().size(), unavailableWhenAsked.get());
        }
        if (refusal != null) {
            Answer broke = new Answer.RetryAfter(Duration.ofMinutes(1), refusal.reason(), true);
            return new HandOverResult(Collections.nCopies(lot.mails().size(), broke), Optional.of(refusal));
        }
        inFlight = true;
        beforeHandOver.run();
        String message = lot.content().id().split("\\.")[0];
        List<Answer> said = new ArrayList<>();
        for (Mail mail : lot.mails()) {
            if (!said.isEmpty() && !goesOn(guard)) {
                said.add(new Answer.NotAttempted());
                continue;
            }
            subjects.add(lot.content().subject().merge(mail.fields(), Escaping.ONE_LINE));
            largestHtml = Math.max(
                    largestHtml,
                    lot.content().html().merge(mail.fields(), Escaping.HTML).length());
            String key = message + " " + mail.to().address();
            links.put(key, mail.fields().getOrDefault("unsubscribe", ""));
            Answer answer = answers.apply(mail, attempts.merge(key, 1, Integer::sum));
            said.add(answer);
            if (answer instanceof Answer.Accepted || answer instanceof Answer.Unknown) {
                taken.merge(key, 1, Integer::sum);
            }
        }
        afterHandOver.run();
        inFlight = false;
        return HandOverResult.answered(said);
    }

    private HandOverResult partly(MailLot lot) {
        List<Answer> said = new ArrayList<>();
        for (Mail mail : lot.mails()) {
            boolean takes = said.size() < mailsBeforeClosing;
            if (takes) {
                taken.merge(key(lot, mail), 1, Integer::sum);
            }
            said.add(takes ? new Answer.Accepted("id") : new Answer.NotAttempted());
        }
        boolean untaken = mailsBeforeClosing < lot.mails().size();
        return new HandOverResult(said, untaken ? unavailableWhenAsked : Optional.empty());
    }

    private static String key(MailLot lot, Mail mail) {
        return lot.content().id().split("\\.")[0] + " " + mail.to().address();
    }

    private boolean goesOn(Guard guard) {
        betweenMails.run();
        return guard.mayContinue();
    }
}
