package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;

/** Checks that the clear that ends a lot may announce the next lot, but a repeated clear never does. */
class RepeatedClearTests {

    private final SimulatedWorld world = new SimulatedWorld(2);

    /** Whether a lot was announced, for each batch that cleared something. */
    private final List<Boolean> announced = new ArrayList<>();

    private boolean looking;
    private boolean fails;

    @Test
    void aClearThatEndsALotAnnouncesTheNextOne() {
        sends(false);

        assertThat(announced).containsExactly(true, true, false);
    }

    @Test
    void aClearThatIsRepeatedAnnouncesNothing() {
        sends(true);

        assertThat(announced).containsExactly(false, true, false);
    }

    private void sends(boolean failsOnce) {
        MessageRef ref = world.message(world.list("contoso1", 1, 6, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        fails = failsOnce;
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (clears(call) && fails) {
                    fails = false;
                    throw new StorageException(Reason.UNAVAILABLE, "not done", null);
                }
            }

            @Override
            public void after(Call call) {
                if (clears(call)) {
                    looking = true;
                    announced.add(world.anyHanding());
                    looking = false;
                }
            }
        });
        world.process.drain(world.process.sender);
        world.storage.hook(CallHook.NONE);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 6));
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    private boolean clears(Call call) {
        return !looking
                && call.kind() == Kind.WRITE
                && call.place().equals(MessageStore.MESSAGE)
                && call.description().contains("Delete email:");
    }
}
