package org.azuremail.work;

import org.azuremail.storage.version.StoreGate;
import org.azuremail.work.SignalConfiguration.RemoteSignals;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.WakeUp;

/**
 * Handles the signals of other processes.
 *
 * @param switchesChanged wakes the reader of the switches
 */
record SignalInbox(
        InProcessSignals local,
        MessageActivity activity,
        Instances instances,
        WakeUp switchesChanged,
        SignalCheck signalCheck,
        RemoteSignals remoteSignals,
        WorkQueues queues,
        StoreGate gate) {

    Signal.Answer receive(Signal signal) {
        switch (signal.kind()) {
            case WORK -> {
                return local.wakeConsumer(signal.name()) ? Signal.Answer.TAKEN : Signal.Answer.NOT_MINE;
            }
            case RUN -> {
                return local.wakeService(signal.name());
            }
            case MESSAGES_ACTIVE -> {
                if (activity.extend(signal.lasts())) {
                    local.wakeFollowersOfMessages();
                }
            }
            case SWITCHES -> switchesChanged.signal();
            case INSTANCES -> {
                instances.markStale();
                queues.partitions().invalidate();
                gate.forget();
            }
            case GREETING -> remoteSignals.greetBack().accept(signal.greeter(), signal.greeterAddress());
            case GREETING_BACK -> signalCheck.recordReply(signal.name());
        }
        return Signal.Answer.HEARD;
    }
}
