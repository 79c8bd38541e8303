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

/** A transport that accepts every email and gives the answers that a test has lined up, or accepts if none is left. */
final class ScriptedTransport implements MailTransport {

    final List<MailLot> taken = new ArrayList<>();
    final Deque<Supplier<HandOverResult>> script = new ArrayDeque<>();
    Optional<Unavailable> unavailable = Optional.empty();

    /** The caller's guard during the current hand-over. */
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
