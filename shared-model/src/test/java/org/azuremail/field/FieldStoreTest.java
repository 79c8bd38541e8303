package org.azuremail.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.SubscriptionWorld;
import org.junit.jupiter.api.Test;

class FieldStoreTest {

    private static final Field BIRTHDAY = new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), true, true);

    private final SubscriptionWorld world = new SubscriptionWorld();
    private final FieldStore store = new FieldStore(world.tables(), world.lists, world.time);

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
                .isInstanceOf(FieldStore.Saving.Conflict.class);
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

    @Test
    void fieldsHaveLimits() {
        ListFields many = fields();
        for (int i = 0; i <= ListFields.MAX_SEARCHABLE; i++) {
            many = many.with(new Field("f" + i, "F", FieldType.TEXT, List.of(), true, false));
        }

        assertThat(store.save(list(), many, "")).isInstanceOf(FieldStore.Saving.TooMuch.class);
        assertThat(list().attributes()).doesNotContain("f0");
    }

    private void save(ListFields changed) {
        assertThat(store.save(list(), changed, store.find(list()).etag())).isInstanceOf(FieldStore.Saving.Done.class);
    }

    private ListFields fields() {
        return store.of(list());
    }

    private MailingList list() {
        return world.list();
    }
}
