package org.azuremail.storage.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks upgrades whose steps are interrupted anywhere, while processes of the previous version run. */
class StoreVersionTest {

    private static final String TABLE = "things";
    private static final int THINGS = 7;

    private final ManualTime time = new ManualTime();

    /** Changes "old" to "old+2", then to "old+2+3", so that a step applied twice to a row would show. */
    private static final List<UpgradeStep> TO_3 = List.of(appending("2"), appending("3"));

    private static UpgradeStep appending(String format) {
        return storage -> Rows.all(storage.tables(), TABLE, KeyRange.partition("p")).stream()
                .filter(row -> !text(row).contains("+" + format))
                .forEach(row -> storage.tables()
                        .write(TABLE, "p", Write.replace(row, Values.of("Text", text(row) + "+" + format))));
    }

    private static String text(Row row) {
        return row.values().string("Text", "");
    }

    private SimulatedStorage oldStore() {
        SimulatedStorage storage = new SimulatedStorage(time);
        storage.storage().tables().createTable(TABLE);
        for (int i = 0; i < THINGS; i++) {
            storage.storage().tables().write(TABLE, "p", Write.insert("thing" + i, Values.of("Text", "old")));
        }
        return storage;
    }

    private static void assertUpgraded(Storage storage) {
        assertThat(Rows.all(storage.tables(), TABLE, KeyRange.partition("p")))
                .hasSize(THINGS)
                .allSatisfy(row -> assertThat(text(row)).isEqualTo("old+2+3"));
        assertThat(new StoreVersion(storage, TO_3).stored()).isEqualTo(3);
    }

    @Test
    void storageWithoutAVersionHasFormatOneAndGetsTheFormatOfThisProgram() {
        Storage storage = new SimulatedStorage(time).storage();
        StoreVersion version = new StoreVersion(storage);
        assertThat(version.stored()).isEqualTo(1);

        version.upgrade();

        assertThat(version.stored()).isEqualTo(version.known()).isGreaterThan(1);
        assertThat(storage.tables()
                        .get("work", new Key("installation", "version"))
                        .orElseThrow()
                        .values())
                .isEqualTo(Values.of("Version", version.known()));
    }

    @Test
    void stepsAreTakenOnceAndInOrder() {
        Storage storage = oldStore().storage();
        new StoreVersion(storage, TO_3).upgrade();
        new StoreVersion(storage, TO_3).upgrade();
        assertUpgraded(storage);
    }

    @Test
    void olderProgramRefusesANewerStorageAndChangesNothing() {
        Storage storage = oldStore().storage();
        new StoreVersion(storage, TO_3).upgrade();
        StoreVersion older = new StoreVersion(storage, TO_3.subList(0, 1));

        assertThatThrownBy(older::upgrade)
                .isInstanceOf(NewerStoreException.class)
                .hasMessageMatching("[^.]*format 3[^.]*formats up to 2[^.]*\\.");
        assertUpgraded(storage);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void upgradeThatBreaksOffAtAnyCallContinuesAtTheNextStart(Mode mode) {
        for (int at = 1; at < 10_000; at++) {
            SimulatedStorage storage = oldStore();
            Faults faults = new Faults(mode, at, () -> {});
            boolean brokeOff = false;
            try {
                new StoreVersion(faults.around(storage.storage()), TO_3).upgrade();
            } catch (ProcessDied | StorageException e) {
                brokeOff = true;
            }
            new StoreVersion(storage.storage(), TO_3).upgrade();
            assertUpgraded(storage.storage());
            if (faults.calls() < at) {
                assertThat(brokeOff).isFalse();
                assertThat(at).isGreaterThan(2 * THINGS);
                return;
            }
        }
    }

    @Test
    void processesThatUpgradeAtTheSameTimeDoNotUndoEachOther() {
        for (int other = 1; other <= 30; other++) {
            SimulatedStorage storage = oldStore();
            int at = other;
            AtomicInteger calls = new AtomicInteger();
            storage.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    if (calls.incrementAndGet() == at) {
                        new StoreVersion(storage.storage(), TO_3).upgrade();
                    }
                }
            });
            new StoreVersion(storage.storage(), TO_3).upgrade();
            storage.hook(CallHook.NONE);
            assertUpgraded(storage.storage());
        }
    }

    @Test
    void processOvertakenByANewerProgramStops() {
        SimulatedStorage storage = oldStore();
        AtomicInteger calls = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (calls.incrementAndGet() == 3) {
                    new StoreVersion(storage.storage(), TO_3).upgrade();
                }
            }
        });
        StoreVersion older = new StoreVersion(storage.storage(), TO_3.subList(0, 1));

        assertThatThrownBy(older::upgrade).isInstanceOf(NewerStoreException.class);
        storage.hook(CallHook.NONE);
        assertUpgraded(storage.storage());
    }
}
