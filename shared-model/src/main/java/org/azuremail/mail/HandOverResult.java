package org.azuremail.mail;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of one call of a transport.
 *
 * @param answers one for each email of the lot, in its order
 * @param unavailable present if the transport is the reason for an {@link Answer.NotAttempted}, if several connections
 *     in a row broke, or if the transport cannot tell whether the provider refuses the recipients or the service; empty
 *     if emails are {@link Answer.NotAttempted} because the caller's {@link MailTransport.Guard} stopped the call
 */
public record HandOverResult(List<Answer> answers, Optional<Unavailable> unavailable) {

    public HandOverResult {
        answers = List.copyOf(answers);
    }

    public static HandOverResult answered(List<Answer> answers) {
        return new HandOverResult(answers, Optional.empty());
    }

    /** Returns the outcome of a call in which the provider accepted nothing. */
    public static HandOverResult notAttempted(int mails, Unavailable unavailable) {
        return new HandOverResult(
                java.util.Collections.nCopies(mails, new Answer.NotAttempted()), Optional.of(unavailable));
    }

    /** Returns whether the transport refuses this message, although it may accept others. */
    public boolean refusesMessage() {
        return unavailable.filter(why -> why.kind() == Unavailable.Kind.MESSAGE).isPresent();
    }

    /** Returns a copy in which these answers replace those of emails during which the connection broke. */
    public HandOverResult replaceInterrupted(Function<Answer.RetryAfter, Answer> instead) {
        return new HandOverResult(
                answers.stream()
                        .map(answer -> answer instanceof Answer.RetryAfter retry && retry.interrupted()
                                ? instead.apply(retry)
                                : answer)
                        .toList(),
                unavailable);
    }

    public static HandOverResult same(int mails, Answer answer) {
        return answered(java.util.Collections.nCopies(mails, answer));
    }
}
