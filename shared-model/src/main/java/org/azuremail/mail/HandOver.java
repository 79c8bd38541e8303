package org.azuremail.mail;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of one call of a transport.
 *
 * @param answers one for each email of the lot, in its order
 * @param unavailable present if the transport is the reason for an {@link Answer.Untaken}, if several connections in a
 *     row broke, or if the transport cannot tell whether the provider refuses the recipients or the service; empty if
 *     emails are {@link Answer.Untaken} because the caller's {@link MailTransport.Guard} stopped the call
 */
public record HandOver(List<Answer> answers, Optional<Unavailable> unavailable) {

    public HandOver {
        answers = List.copyOf(answers);
    }

    public static HandOver answered(List<Answer> answers) {
        return new HandOver(answers, Optional.empty());
    }

    /** Returns the outcome of a call in which the provider accepted nothing. */
    public static HandOver untaken(int mails, Unavailable unavailable) {
        return new HandOver(java.util.Collections.nCopies(mails, new Answer.Untaken()), Optional.of(unavailable));
    }

    /** Returns whether the transport refuses this message, although it may accept others. */
    public boolean refusesMessage() {
        return unavailable.filter(why -> why.kind() == Unavailable.Kind.MESSAGE).isPresent();
    }

    /** Returns a copy in which these answers replace those of emails during which the connection broke. */
    public HandOver brokenAs(Function<Answer.RetryAfter, Answer> instead) {
        return new HandOver(
                answers.stream()
                        .map(answer -> answer instanceof Answer.RetryAfter retry && retry.broke()
                                ? instead.apply(retry)
                                : answer)
                        .toList(),
                unavailable);
    }

    public static HandOver same(int mails, Answer answer) {
        return answered(java.util.Collections.nCopies(mails, answer));
    }
}
