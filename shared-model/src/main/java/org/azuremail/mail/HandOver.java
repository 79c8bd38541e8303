package org.azuremail.mail;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of one transport call.
 *
 * @param answers one for each mail of the lot, in its order
 * @param unavailable present when an answer is {@link Answer.Untaken} for the transport's sake, when one conversation after
 *     another broke, or when the transport cannot tell whether the provider breaks off at the recipients or takes nothing from
 *     us; empty when mails were left untaken because the caller's {@link MailTransport.Guard} said no
 */
public record HandOver(List<Answer> answers, Optional<Unavailable> unavailable) {

    public HandOver {
        answers = List.copyOf(answers);
    }

    public static HandOver answered(List<Answer> answers) {
        return new HandOver(answers, Optional.empty());
    }

    /** Nothing of the lot was taken. */
    public static HandOver untaken(int mails, Unavailable unavailable) {
        return new HandOver(java.util.Collections.nCopies(mails, new Answer.Untaken()), Optional.of(unavailable));
    }

    /** Returns whether the transport takes nothing of this message, whatever it takes of others. */
    public boolean refusesMessage() {
        return unavailable.filter(why -> why.kind() == Unavailable.Kind.MESSAGE).isPresent();
    }

    /** The same with these answers for the mails at which the transport broke off. */
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
