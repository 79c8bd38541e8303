package org.azuremail.work;

import java.time.Duration;
import java.util.function.Consumer;
import org.azuremail.work.signal.Activity;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.Signals;

/** Sends signals to this process first, and to others if that is not enough. */
record SharedSignals(InProcessSignals here, Activity activity, Consumer<Signal> elsewhere) implements Signals {

    @Override
    public void workWaits(String queue) {
        if (!here.wakeConsumer(queue)) {
            elsewhere.accept(Signal.work(queue));
        }
    }

    @Override
    public void runSoon(String scheduledService) {
        if (here.wakeService(scheduledService) != Signal.Answer.TAKEN) {
            elsewhere.accept(Signal.run(scheduledService));
        }
    }

    @Override
    public void messagesActive(Duration lasts) {
        if (activity.lasts(lasts)) {
            here.wakeFollowersOfMessages();
        }
        elsewhere.accept(Signal.messagesActive(lasts));
    }

    @Override
    public void switchesChanged() {
        elsewhere.accept(Signal.of(Signal.Kind.SWITCHES));
    }
}
