package org.azuremail.sender;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;

/** Takes every mail, and answers what the test has lined up; accepts when nothing is left. */
final class ScriptedTransport implements MailTransport {

    final List<MailLot> taken = new ArrayList<>();
    final Deque<Supplier<HandOverResult>> script = new ArrayDeque<>();
    Optional<Unavailable> unavailable = Optional.empty();

    /** The caller's, while a line of the script is played. */
    Guard asked = () -> true;

    void next(Answer answer) {
        script.add(() -> HandOverResult.same(1, answer));
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public int lotSize() {
        return 10;
    }

    @Override
    public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        return unavailable;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        taken.add(lot);
        asked = guard;
        return script.isEmpty()
                ? HandOverResult.same(1, new Answer.Accepted("id"))
                : script.remove().get();
    }
}
