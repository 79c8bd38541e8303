package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import org.azuremail.list.MailingList;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs an import of three chunks with every kind of row, with a fault at each storage call in turn. */
class ImportCrashPointIT {

    private static final String FILE = """
            email,city
            new1@example.org,Ulm
            left@example.org,Ulm
            bad address,Ulm
            known@example.org,Ulm
            new2@example.org,Ulm
            new1@example.org,Bonn
            waiting@example.org,Ulm
            also bad,
            new3@example.org,
            left@example.org,Ulm
            """;

    private static final SubscriberImport.Counts EXPECTED = new SubscriberImport.Counts(10, 3, 3, 4, 1, 0);

    private ImportWorld imports = new ImportWorld();

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void countsAreExactWhereverTheImportStops(Faults.Mode mode) {
        boolean happened = true;
        long points = 0;
        for (long at = 1; happened; at++) {
            ImportId id = given();
            Faults faults = new Faults(mode, at, () -> {});
            imports.restart(faults.around(imports.world.simulated.storage()));
            attempt(id);
            happened = faults.calls() >= at;
            points += happened ? 1 : 0;
            imports.restart(imports.world.simulated.storage());
            imports.world.checkInvariants();

            SubscriberImport done = imports.run(id);

            String where = mode + " at call " + at;
            assertThat(done.state()).as(where).isEqualTo(SubscriberImport.State.COMPLETED);
            assertThat(done.counts()).as(where).isEqualTo(EXPECTED);
            assertThat(imports.refusedCsv(id).lines()).as(where).hasSize(5);
            everybodyIsThere();
        }
        assertThat(points).isGreaterThan(30);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void twoRunsOfTheSameImportAtTheSameTimeCountOnce(int shards) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            ImportId id = given(shards);
            Intruder intruder = new Intruder(imports.world.simulated.calls() + at, () -> imports.run(id));
            imports.world.simulated.hook(intruder);

            SubscriberImport done = imports.run(id);

            imports.world.simulated.hook(CallHook.NONE);
            happened = intruder.done;
            assertThat(done.counts()).as("second run before call %s", at).isEqualTo(EXPECTED);
            everybodyIsThere();
        }
    }

    @Test
    void aPersonWhoUnsubscribesDuringTheImportStaysUnsubscribed() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            ImportId id = given();
            Intruder intruder = new Intruder(
                    imports.world.simulated.calls() + at,
                    () -> imports.world.subscriptions().leave(LIST, address("known@example.org"), LINK));
            imports.world.simulated.hook(intruder);

            SubscriberImport done = imports.run(id);

            imports.world.simulated.hook(CallHook.NONE);
            happened = intruder.done;
            assertThat(done.counts().rows()).isEqualTo(10);
            assertThat(done.counts().imported()
                            + done.counts().updated()
                            + done.counts().refused())
                    .as("leaving before call %s", at)
                    .isEqualTo(10);
            if (happened) {
                assertThat(imports.world.state("known@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
            }
            imports.world.checkInvariants();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void aRefusedPersonWhoReturnsDuringTheImportIsCountedOnce(int shards) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            ImportId id = given(shards);
            Intruder intruder = new Intruder(imports.world.simulated.calls() + at, this::bringBack);
            imports.world.simulated.hook(intruder);

            SubscriberImport done = imports.run(id);

            imports.world.simulated.hook(CallHook.NONE);
            happened = intruder.done;
            everyRowIsCountedOnce(done, "coming back before call " + at);
        }
    }

    @Test
    void aRefusedPersonWhoReturnsAfterACrashIsCountedOnce() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            ImportId id = given();
            Faults faults = new Faults(Faults.Mode.DIES_AFTER, at, () -> {});
            imports.restart(faults.around(imports.world.simulated.storage()));
            attempt(id);
            happened = faults.calls() >= at;
            imports.restart(imports.world.simulated.storage());
            bringBack();

            everyRowIsCountedOnce(imports.run(id), "coming back after a crash at call " + at);
        }
    }

    private void bringBack() {
        SubscriptionWorld world = imports.world;
        world.subscriptions()
                .adminEdit(
                        LIST,
                        address("left@example.org"),
                        world.find("left@example.org").etag(),
                        Profile.NONE,
                        true,
                        ADMIN);
    }

    private void everyRowIsCountedOnce(SubscriberImport done, String where) {
        SubscriberImport.Counts counts = done.counts();
        assertThat(counts.rows()).as(where).isEqualTo(10);
        assertThat(counts.imported() + counts.updated() + counts.refused())
                .as(where)
                .isEqualTo(10);
        assertThat(imports.refusedCsv(done.id()).lines()).as(where).hasSize((int) counts.refused() + 1);
        imports.world.checkInvariants();
    }

    private ImportId given() {
        return given(MailingList.DEFAULT_SHARDS);
    }

    private ImportId given(int shards) {
        imports = new ImportWorld(4, shards);
        imports.world.subscribed("known@example.org");
        imports.world.subscribe("waiting@example.org");
        imports.world.subscribed("left@example.org");
        imports.world.subscriptions().leave(LIST, address("left@example.org"), LINK);
        return imports.start(FILE, true);
    }

    private void attempt(ImportId id) {
        try {
            imports.run(id);
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private void everybodyIsThere() {
        SubscriptionWorld world = imports.world;
        world.checkInvariants();
        assertThat(world.store().counts(world.list())).isEqualTo(new SubscriberCounts(0, 5, 1, 0, 0));
        assertThat(world.get("new1@example.org").profile().attributes()).containsEntry("city", "Bonn");
        assertThat(world.state("waiting@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    /** Runs an action in the middle of another call. */
    private static final class Intruder implements CallHook {

        private final long at;
        private final Runnable action;
        private boolean begun;
        private boolean done;

        Intruder(long at, Runnable action) {
            this.at = at;
            this.action = action;
        }

        @Override
        public void before(Call call) {
            if (!begun && call.number() >= at) {
                begun = true;
                action.run();
                done = true;
            }
        }
    }
}
