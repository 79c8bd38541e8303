package org.azuremail.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.SubscriptionWorld;
import org.junit.jupiter.api.Test;

class FieldStoreTest {

    private static final Field BIRTHDAY = new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), true, true);

    private final SubscriptionWorld world = new SubscriptionWorld();
    private final FieldStore store = new FieldStore(world.tables(), world.lists, world.time);
    private boolean back;

    @Test
    void anUndefinedAttributeIsText() {
        world.lists.addAttributes(SubscriptionWorld.LIST, new TreeSet<>(List.of("city")));

        assertThat(fields().of("city")).isEqualTo(Field.text("city"));
        assertThat(fields().fields()).extracting(Field::name).startsWith(Field.NAME);
    }

    @Test
    void aFieldIsAnAttributeOfItsListToo() {
        save(fields().with(BIRTHDAY));

        assertThat(list().attributes()).contains("birthday");
        assertThat(fields().find("birthday")).contains(BIRTHDAY);
        assertThat(fields().check(Map.of("birthday", "29 Feb", "city", "Ulm")).stored())
                .isEqualTo(Map.of("birthday", "2000-02-29", "city", "Ulm"));
        assertThat(fields().check(Map.of("birthday", "30 Feb")).refused()).containsOnlyKeys("birthday");
    }

    @Test
    void onlyAChangeThatAffectsSubscribersGetsAHigherRevision() {
        save(fields().with(BIRTHDAY));
        long first = fields().revision();
        save(fields().with(new Field("birthday", "Day of birth", FieldType.MONTH_DAY, List.of(), true, false)));
        assertThat(fields().revision()).isEqualTo(first).isPositive();

        save(fields().with(new Field("birthday", "Birthday", FieldType.DATE, List.of(), true, false)));
        long second = fields().revision();
        save(fields().without("birthday"));

        assertThat(second).isGreaterThan(first);
        assertThat(fields().revision()).isGreaterThan(second);
    }

    @Test
    void theSecondOfTwoConcurrentChangesIsAConflict() {
        Versioned<ListFields> seen = store.find(list());
        save(fields().with(BIRTHDAY));

        assertThat(store.save(list(), seen.value().with(Field.text("city")), seen.etag()))
                .isInstanceOf(FieldStore.FieldSaveResult.Conflict.class);
        assertThat(fields().find("birthday")).isPresent();
    }

    @Test
    void aRemovedFieldThatAnImportBringsBackStays() {
        save(fields().with(BIRTHDAY));
        save(fields().without("birthday"));
        assertThat(list().attributes()).doesNotContain("birthday");
        assertThat(fields().removed()).contains("birthday");

        world.lists.addAttributes(SubscriptionWorld.LIST, new TreeSet<>(List.of("birthday")));
        save(fields().with(Field.text("city")));

        assertThat(list().attributes()).contains("birthday", "city");
        assertThat(fields().removed()).isEmpty();
    }

    /** The process sleeps before any call of its save. */
    @Test
    void aFieldThatIsDeletedWhileAnotherIsSavedStaysDeleted() {
        save(fields().with(BIRTHDAY));
        MailingList before = list();
        sleepAtEachCall(
                () -> {
                    Versioned<ListFields> now = store.find(before);
                    store.save(before, now.value().with(Field.text("city")), now.etag());
                },
                () -> save(fields().without("birthday")),
                call -> {
                    assertThat(list().attributes()).as("at call " + call).doesNotContain("birthday");
                    save(fields().without("city"));
                    save(fields().with(BIRTHDAY));
                });
    }

    /** Another process completes the removal meanwhile, and an import brings the column back. */
    @Test
    void aColumnThatAnImportBringsBackSurvivesAnOldRemoval() {
        save(fields().with(BIRTHDAY));
        sleepAtEachCall(
                () -> save(fields().without("birthday")),
                () -> {
                    if (fields().removed().contains("birthday")) {
                        store.completeSave(SubscriptionWorld.LIST);
                        world.lists.addAttributes(SubscriptionWorld.LIST, new TreeSet<>(List.of("birthday")));
                        back = true;
                    }
                },
                call -> {
                    if (back) {
                        assertThat(list().attributes()).as("at call " + call).contains("birthday");
                    }
                    back = false;
                    save(fields().with(BIRTHDAY));
                });
    }

    private void sleepAtEachCall(Runnable sleeper, Runnable meanwhile, IntConsumer check) {
        int[] calls = {Integer.MAX_VALUE};
        for (int at = 1; at <= calls[0]; at++) {
            int sleep = at;
            calls[0] = 0;
            world.simulated.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    if (++calls[0] == sleep) {
                        world.simulated.hook(CallHook.NONE);
                        meanwhile.run();
                        calls[0] = Integer.MAX_VALUE;
                    }
                }
            });
            sleeper.run();
            world.simulated.hook(CallHook.NONE);
            if (calls[0] == Integer.MAX_VALUE) {
                check.accept(at);
            }
        }
    }

    @Test
    void fieldsHaveLimits() {
        ListFields many = fields();
        for (int i = 0; i <= ListFields.MAX_SEARCHABLE; i++) {
            many = many.with(new Field("f" + i, "F", FieldType.TEXT, List.of(), true, false));
        }

        assertThat(store.save(list(), many, "")).isInstanceOf(FieldStore.FieldSaveResult.TooMuch.class);
        assertThat(list().attributes()).doesNotContain("f0");
    }

    private void save(ListFields changed) {
        assertThat(store.save(list(), changed, store.find(list()).etag()))
                .isInstanceOf(FieldStore.FieldSaveResult.Done.class);
    }

    private ListFields fields() {
        return store.of(list());
    }

    private MailingList list() {
        return world.list();
    }
}
