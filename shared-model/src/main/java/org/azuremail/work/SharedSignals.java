package org.azuremail.work;

import java.time.Duration;
import java.util.function.Consumer;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.Signals;

/** Sends signals to this process first, and to others if that is not enough. */
record SharedSignals(InProcessSignals local, MessageActivity activity, Consumer<Signal> remote) implements Signals {

    @Override
    public void workAvailable(String queue) {
        if (!local.wakeConsumer(queue)) {
            remote.accept(Signal.work(queue));
        }
    }

    @Override
    public void runSoon(String scheduledService) {
        if (local.wakeService(scheduledService) != Signal.Answer.TAKEN) {
            remote.accept(Signal.run(scheduledService));
        }
    }

    @Override
    public void messagesActive(Duration lasts) {
        if (activity.extend(lasts)) {
            local.wakeFollowersOfMessages();
        }
        remote.accept(Signal.messagesActive(lasts));
    }

    @Override
    public void switchesChanged() {
        remote.accept(Signal.of(Signal.Kind.SWITCHES));
    }
}
