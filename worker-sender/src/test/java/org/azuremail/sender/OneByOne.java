package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.jspecify.annotations.Nullable;

/** A provider that accepts emails one by one, as an SMTP server does, and a process that may die at each step. */
final class OneByOne implements MailTransport {

    private final int lotSize;
    private final Map<String, Integer> taken = new TreeMap<>();
    private Function<String, Answer> says = address -> new Answer.Accepted("id");
    private Runnable step = () -> {};
    private @Nullable String next;
    private @Nullable String underWay;

    OneByOne(int lotSize) {
        this.lotSize = lotSize;
    }

    /** Runs the action at each step. If it throws, the process stops there. */
    void step(Runnable action) {
        step = action;
    }

    void says(Function<String, Answer> answer) {
        says = answer;
    }

    /** Returns how often an email to each address was accepted. */
    Map<String, Integer> taken() {
        return taken;
    }

    /** Returns the address whose email was handed over but is not begun, if there is one. */
    @Nullable
    String next() {
        return next;
    }

    /** Returns the address whose email was begun but is not answered, if there is one. */
    @Nullable
    String underWay() {
        return underWay;
    }

    @Override
    public String name() {
        return "one by one";
    }

    @Override
    public int lotSize() {
        return lotSize;
    }

    @Override
    public boolean reportsEachEmail() {
        return true;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        List<Answer> said = new ArrayList<>();
        for (Mail mail : lot.mails()) {
            if (!said.isEmpty() && !guard.mayContinue()) {
                said.add(new Answer.NotAttempted());
                continue;
            }
            said.add(handOver(mail.to().address().value(), said.size(), guard));
        }
        return HandOverResult.answered(said);
    }

    private Answer handOver(String address, int place, Guard guard) {
        next = address;
        step.run();
        guard.begins(place);
        next = null;
        underWay = address;
        step.run();
        Answer answer = says.apply(address);
        if (answer instanceof Answer.Accepted) {
            taken.merge(address, 1, Integer::sum);
        }
        step.run();
        guard.answered(place, answer);
        underWay = null;
        step.run();
        return answer;
    }
}
