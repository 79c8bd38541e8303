package org.azuremail.subscription.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.List;
import java.util.Map;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;

/** Checks which values of a searchable field are indexed, and what changes of the field do to them. */
class FieldIndexTest extends OnIndexedList {

    @Test
    void everybodyIsIndexedAndValuesGetTheFormOfTheirType() {
        save(fields -> fields.with(BIRTHDAY));

        assertThat(state().canSearch(BIRTHDAY)).isTrue();
        assertThat(indexed("birthday"))
                .containsExactly("ix:birthday:02-29:ann@example.org", "ix:birthday:05-17:bob@example.org");
        assertThat(value("ann@example.org")).isEqualTo("2000-02-29");
        assertThat(value("bob@example.org")).isEqualTo("2000-05-17");
        assertThat(value("cy@example.org")).isEqualTo("in spring");
        world.checkInvariants();
    }

    @Test
    void subscribersAddedOrChangedLaterAreIndexedToo() {
        save(fields -> fields.with(BIRTHDAY));

        add("eve@example.org", "2000-12-31");
        edit("ann@example.org", Map.of("birthday", "2000-03-01"));
        world.subscriptions().erase(LIST, address("bob@example.org"), ADMIN);

        assertThat(indexed("birthday"))
                .containsExactly("ix:birthday:03-01:ann@example.org", "ix:birthday:12-31:eve@example.org");
        world.checkInvariants();
    }

    @Test
    void aFieldThatIsNoLongerSearchableHasNoRowsAndARemovedOneNoValues() {
        save(fields -> fields.with(BIRTHDAY));
        save(fields -> fields.with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, true)));

        assertThat(indexed("birthday")).isEmpty();
        assertThat(value("ann@example.org")).isEqualTo("2000-02-29");

        save(fields -> fields.without("birthday"));

        assertThat(world.get("ann@example.org").profile().attributes()).containsOnlyKeys("hobby");
        world.checkInvariants();
    }

    @Test
    void anotherTypeTakesAnotherIndex() {
        save(fields -> fields.with(BIRTHDAY));
        save(fields -> fields.with(new Field("birthday", "Birthday", FieldType.TEXT, List.of(), true, true)));

        assertThat(indexed("birthday")).hasSize(3).contains("ix:birthday:in=20spring:cy@example.org");
        assertThat(value("ann@example.org")).isEqualTo("02-29");
        edit("ann@example.org", Map.of("birthday", "2000-02-29"));
        index().reindex(world.list(), "ada");
        finishJobs();
        assertThat(value("ann@example.org")).as("typed since").isEqualTo("2000-02-29");
        world.checkInvariants();
    }

    /** A month and day is stored with the year 2000, which no person typed. */
    @Test
    void aMonthAndDayIsNotADate() {
        save(fields -> fields.with(BIRTHDAY));
        Field date = new Field("birthday", "Birthday", FieldType.DATE, List.of(), true, true);

        index().count(world.list(), date);
        MisfitCounter.MisfitCount misfits = index().fits().find(LIST).orElseThrow();
        assertThat(misfits.misfits()).isEqualTo(3);
        assertThat(misfits.examples()).containsEntry("ann@example.org", "02-29");
        save(fields -> fields.with(date));

        assertThat(value("ann@example.org")).isEqualTo("02-29");
        assertThat(indexed("birthday")).isEmpty();
        save(fields -> fields.with(BIRTHDAY));
        assertThat(value("ann@example.org")).isEqualTo("2000-02-29");
        world.checkInvariants();
    }

    @Test
    void aDeletedFieldCanBeAddedAgainOnceItsValuesAreRemoved() {
        save(fields -> fields.with(BIRTHDAY));
        Versioned<ListFields> before = store().find(world.list());
        store().save(world.list(), before.value().without("birthday"), before.etag());

        Versioned<ListFields> removing = store().find(world.list());
        assertThat(index().save(world.list(), removing.value().with(BIRTHDAY), removing.etag()))
                .isEqualTo(new FieldStore.FieldSaveResult.BeingRemoved("birthday"));
        run();
        finishJobs();

        save(fields -> fields.with(BIRTHDAY));
        assertThat(value("ann@example.org")).isEmpty();
        world.checkInvariants();
    }

    @Test
    void anAdminCanHaveEverythingCheckedAgain() {
        save(fields -> fields.with(BIRTHDAY));
        world.tables()
                .write(
                        ListStore.TABLE,
                        partition("bob@example.org"),
                        Write.upsert("ix:birthday:01-01:bob@example.org", Values.none()));

        index().reindex(world.list(), "ada");
        finishJobs();

        assertThat(indexed("birthday")).hasSize(2).contains("ix:birthday:05-17:bob@example.org");
        world.checkInvariants();
    }

    @Test
    void theLongestAddressAndValueHaveAnIndexRow() {
        String local = "ß".repeat(32);
        String email = local + "@" + ("d".repeat(60) + ".").repeat(2) + "example.org";
        save(fields -> fields.with(new Field("f".repeat(64), "F", FieldType.TEXT, List.of(), true, false)));
        String value = "日本".repeat(100);
        world.subscriptions()
                .adminAdd(LIST, address(email), new Profile("", Map.of("f".repeat(64), value)), true, ADMIN);

        assertThat(indexed("f".repeat(64))).singleElement().satisfies(key -> assertThat(key)
                .hasSize(512));
        world.checkInvariants();
        world.subscriptions().erase(LIST, address(email), ADMIN);
        assertThat(indexed("f".repeat(64))).isEmpty();
    }
}
