package org.azuremail.work;

import java.util.function.BiConsumer;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.signal.Activity;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalAnswer;
import org.azuremail.work.signal.SignalReceiver;
import org.azuremail.work.signal.WakeUp;

/** Handles the signals of other processes. */
final class SignalInbox implements SignalReceiver {

    private final InProcessSignals here;
    private final Activity activity;
    private final Instances instances;
    private final WakeUp switchesChanged;
    private final Hearing hearing;
    private final BiConsumer<String, String> greetBack;
    private final Partitions partitions;
    private final StoreGate gate;

    /**
     * @param switchesChanged wakes who reads them again
     * @param greetBack sends a greeting to an instance at an address
     */
    SignalInbox(
            InProcessSignals here,
            Activity activity,
            Instances instances,
            WakeUp switchesChanged,
            Hearing hearing,
            BiConsumer<String, String> greetBack,
            Partitions partitions,
            StoreGate gate) {
        this.here = here;
        this.activity = activity;
        this.instances = instances;
        this.switchesChanged = switchesChanged;
        this.hearing = hearing;
        this.greetBack = greetBack;
        this.partitions = partitions;
        this.gate = gate;
    }

    @Override
    public SignalAnswer receive(Signal signal) {
        switch (signal.kind()) {
            case WORK -> {
                return here.wakeConsumer(signal.name()) ? SignalAnswer.TAKEN : SignalAnswer.NOT_MINE;
            }
            case RUN -> {
                return here.wakeService(signal.name());
            }
            case MESSAGES_ACTIVE -> {
                if (activity.lasts(signal.lasts())) {
                    here.wakeFollowersOfMessages();
                }
            }
            case SWITCHES -> switchesChanged.signal();
            case INSTANCES -> {
                instances.changed();
                partitions.mayHaveChanged();
                gate.forget();
            }
            case GREETING -> greetBack.accept(signal.greeter(), signal.greeterAddress());
            case GREETING_BACK -> hearing.greetedBackBy(signal.name());
        }
        return SignalAnswer.HEARD;
    }
}
