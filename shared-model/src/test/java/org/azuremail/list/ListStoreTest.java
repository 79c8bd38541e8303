package org.azuremail.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListStoreTest {

    private static final ListName NEWS = new ListName("news");

    private SimulatedStorage storage;
    private ListStore lists;

    ListStoreTest() {
        fresh();
    }

    @Test
    void aListIsFoundByNameInWhateverCaseAndAmongAll() {
        lists.create(list("News", "What is new"));
        lists.create(list("alumni", "Old friends"));

        assertThat(lists.find(new ListName("NEWS")).orElseThrow().value()).isEqualTo(list("news", "What is new"));
        assertThat(lists.all()).extracting(MailingList::name).containsExactly(new ListName("alumni"), NEWS);
    }

    @Test
    void aNameThatIsThereOrBeingDeletedIsTaken() {
        assertThat(lists.create(list("news", ""))).isInstanceOf(Saved.Done.class);
        assertThat(lists.create(list("news", "other"))).isInstanceOf(Saved.Conflict.class);
        lists.markDeleting(NEWS);
        assertThat(lists.create(list("news", "other"))).isInstanceOf(Saved.Conflict.class);
        assertThat(lists.findActive(NEWS)).isEmpty();
    }

    @Test
    void e19_theSecondEditorOfAListSeesWhatStandsThereAndSavesAgain() {
        lists.create(list("news", "old"));
        String seenByBoth = lists.find(NEWS).orElseThrow().etag();
        lists.update(list("news", "first"), seenByBoth);

        Saved<MailingList> refused = lists.update(list("news", "second"), seenByBoth);

        assertThat(refused).isInstanceOf(Saved.Conflict.class);
        Versioned<MailingList> current = ((Saved.Conflict<MailingList>) refused).current();
        assertThat(current.value().description()).isEqualTo("first");
        assertThat(lists.update(list("news", "second"), current.etag())).isInstanceOf(Saved.Done.class);
        assertThat(lists.all()).extracting(MailingList::description).containsExactly("second");
    }

    @Test
    void defect13_aListThatIsGoneMeanwhileIsMissingAndNothingIsSaved() {
        lists.create(list("news", "old"));
        String etag = lists.find(NEWS).orElseThrow().etag();
        lists.markDeleting(NEWS);
        lists.remove(NEWS);

        assertThat(lists.update(list("news", "new"), etag)).isInstanceOf(Saved.Missing.class);
        assertThat(lists.all()).isEmpty();
    }

    @Test
    void attributesGrowAndTheShardCountNeverChanges() {
        lists.create(list("news", ""));
        lists.addAttributes(NEWS, new TreeSet<>(Set.of("city", "age")));
        lists.addAttributes(NEWS, new TreeSet<>(Set.of("city", "shoe")));

        Versioned<MailingList> now = lists.find(NEWS).orElseThrow();
        assertThat(now.value().attributes()).containsExactly("age", "city", "shoe");
        assertThatThrownBy(() -> lists.update(Lists.with(now.value(), "shards", 4), now.etag()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attributesThatTwoProcessesAddAtTheSameTimeAreAllKept() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            fresh();
            lists.create(list("news", ""));
            SleepAt sleeper = new SleepAt(call, () -> lists.addAttributes(NEWS, new TreeSet<>(Set.of("shoe"))));
            storage.hook(sleeper);
            lists.addAttributes(NEWS, new TreeSet<>(Set.of("city")));
            storage.hook(CallHook.NONE);
            reached = sleeper.slept();

            assertThat(lists.find(NEWS).orElseThrow().value().attributes())
                    .as("at call " + call)
                    .isEqualTo(reached ? Set.of("city", "shoe") : Set.of("city"));
            indexShowsTheLists("at call " + call);
        }
    }

    /** The deletion of the former list of this name may be repeated. */
    @Test
    void onlyAListThatIsBeingDeletedIsRemoved() {
        lists.create(list("news", ""));

        lists.remove(NEWS);

        assertThat(lists.find(NEWS)).isPresent();
        indexShowsTheLists("after the removal");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nBcc: x@example.org", "a\u0000", "\ud800"})
    void textsThatCouldBreakAHeaderAreRefused(String text) {
        assertThatThrownBy(() -> list("news", text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a/b", "a b", "ä", "a-b", "x,y"})
    void onlyLettersDigitsAndUnderscoresNameAList(String text) {
        assertThat(ListName.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void whereverAChangeStopsTheIndexShowsWhatTheListIs(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            fresh();
            Faults faults = new Faults(mode, at, () -> {});
            ListStore faulty = new ListStore(faults.around(storage.storage()).tables());
            attempt(faulty);
            happened = faults.calls() >= at;
            String where = mode + " at call " + at;
            indexShowsTheLists(where);
            lists.create(list("news", "created"));
            indexShowsTheLists(where);
            assertThat(lists.all()).as(where).hasSize(1);
            lists.markDeleting(NEWS);
            lists.remove(NEWS);
            assertThat(lists.all()).as(where).isEmpty();
        }
    }

    private void attempt(ListStore faulty) {
        try {
            faulty.create(list("news", "created"));
            faulty.find(NEWS).ifPresent(read -> faulty.update(list("news", "changed"), read.etag()));
            faulty.markDeleting(NEWS);
            faulty.remove(NEWS);
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private void indexShowsTheLists(String where) {
        assertThat(lists.all())
                .as(where)
                .isEqualTo(lists.find(NEWS).map(Versioned::value).stream().toList());
    }

    private void fresh() {
        storage = new SimulatedStorage(new ManualTime());
        storage.tables().createTable(ListStore.TABLE);
        lists = new ListStore(storage.tables());
    }

    private static MailingList list(String name, String description) {
        return MailingList.of(
                new ListName(name),
                description,
                new Mailbox(new EmailAddress("news@example.org"), "The News"),
                OptIn.DOUBLE,
                ManualTime.START);
    }
}
