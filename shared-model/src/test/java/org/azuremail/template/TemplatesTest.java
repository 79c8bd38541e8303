package org.azuremail.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.template.Templates.Entry;
import org.azuremail.template.Templates.Saving;
import org.azuremail.template.Templates.State;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks customised pages, source 000: G1 to G4, G-1 to G-3. */
class TemplatesTest {

    private static final ListName X = new ListName("x");
    private static final ListName Y = new ListName("y");
    private static final String OWN = "<h1>Own words for {{address}}</h1>";

    @TempDir
    Path directory;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private Templates templates;

    private Templates templates() {
        if (templates == null) {
            templates = another();
        }
        return templates;
    }

    /** Returns the templates of another process with the same directory and storage. */
    private Templates another() {
        return new Templates(new SharedTemplates(directory, time), storage.tables(), time);
    }

    @Test
    void g1_replacingAFileChangesAllListsThatShareItWithoutARestart() throws IOException {
        assertThat(welcome(X)).contains("Welcome!").isEqualTo(welcome(Y));

        replace("<h1>Hi {{address}}</h1>");

        assertThat(welcome(X)).isEqualTo("<h1>Hi ann</h1>").isEqualTo(welcome(Y));

        Files.delete(directory.resolve("welcome.html"));
        time.advance(Duration.ofSeconds(1));

        assertThat(welcome(X)).contains("Welcome!");
    }

    @Test
    void processesWithOtherFilesReportAnotherVersion() throws IOException {
        SharedTemplates here = new SharedTemplates(directory, time);
        SharedTemplates existing = new SharedTemplates(null, time);
        assertThat(here.facts()).isEqualTo(existing.facts()).containsKey(SharedTemplates.VERSION);

        replace("<h1>Hi</h1>");

        assertThat(here.facts()).isNotEqualTo(existing.facts()).containsKey(SharedTemplates.FILE + "welcome.html");
        String before = here.urgent();
        Files.writeString(directory.resolve("block-birthdays.html"), "<li>{{who}}</li>");
        assertThat(here.facts()).containsKey(SharedTemplates.FILE + "block-birthdays.html");
        assertThat(here.urgent()).isNotEqualTo(before);
        assertThat(existing.urgent()).isNull();
    }

    /** Behind a load balancer, the page is opened in one process and saved in the other. */
    @Test
    void anEtagIsTheSameInProcessesWithDifferentFiles() throws IOException {
        Templates existing = new Templates(new SharedTemplates(null, time), storage.tables(), time);
        replace("<h1>Hi</h1>");

        assertThat(existing.find(X, TemplateName.WELCOME).etag()).isEqualTo(entry(X).etag());
        customise(X, OWN);
        assertThat(existing.find(X, TemplateName.WELCOME).etag())
                .isEqualTo(entry(X).etag())
                .isNotEqualTo("shared");
    }

    @Test
    void g_1_g2_aCustomisedListKeepsItsCopyWhenTheFileIsReplacedAndOthersFollow() throws IOException {
        customise(X, OWN);

        replace("<h1>New words</h1>");

        assertThat(welcome(X)).isEqualTo("<h1>Own words for ann</h1>");
        assertThat(welcome(Y)).isEqualTo("<h1>New words</h1>");
        assertThat(entry(X).state()).isEqualTo(State.OUTDATED);
        assertThat(entry(Y).state()).isEqualTo(State.SHARED);
    }

    @Test
    void g_2_g3_afterRevertingTheListFollowsTheFileAgain() throws IOException {
        customise(X, OWN);
        assertThat(entry(X).state()).isEqualTo(State.CUSTOMISED);

        assertThat(templates().revert(X, entry(X))).isInstanceOf(Saving.Done.class);

        assertThat(entry(X).state()).isEqualTo(State.SHARED);
        assertThat(welcome(X)).contains("Welcome!");
        replace("<h1>New words</h1>");
        assertThat(welcome(X)).isEqualTo("<h1>New words</h1>");
    }

    @Test
    void g_3_aCopyThatBreaksLaterLeavesSubscribersTheSharedOneAndCanBeReverted() {
        templates();
        storage.tables().write(Templates.TABLE, "x", Write.insert("welcome.html", Values.of("Text", "{{#if gone}}")));

        assertThat(welcome(X)).contains("Welcome!");
        assertThat(entry(X).state()).isEqualTo(State.BROKEN);
        assertThat(entry(X).fault()).isEqualTo(new TemplateFault(1, TemplateFault.Code.TEMPLATE_UNKNOWN_FIELD, "gone"));
        assertThat(templates().revert(X, entry(X))).isInstanceOf(Saving.Done.class);
        assertThat(entry(X).state()).isEqualTo(State.SHARED);
    }

    /** Checks the layout, a page and an email. */
    @Test
    void g4_everyTemplateCanBeCustomisedAndReverted() {
        for (TemplateName name : TemplateName.values()) {
            Entry shared = templates().find(X, name);
            assertThat(templates().save(X, shared, shared.text() + " ", "ann")).isInstanceOf(Saving.Done.class);
            assertThat(templates().find(X, name).text()).isEqualTo(shared.text() + " ");
        }
        assertThat(templates().all(X).values()).allMatch(one -> one.state() == State.CUSTOMISED);
        templates().all(X).values().forEach(one -> templates().revert(X, one));
        assertThat(templates().all(X).values()).allMatch(one -> one.state() == State.SHARED);
    }

    @Test
    void aRefusedFileIsReportedAndTheProductsOwnTemplateUsed() throws IOException {
        replace("<script>x</script>");

        assertThat(welcome(X)).contains("Welcome!");
        assertThat(entry(X).shared().fault().code()).isEqualTo(TemplateFault.Code.TEMPLATE_ELEMENT);

        Files.write(directory.resolve("welcome.html"), new byte[] {(byte) 0xff});
        time.advance(Duration.ofSeconds(1));

        assertThat(entry(X).shared().fault().code()).isEqualTo(TemplateFault.Code.TEMPLATE_UNREADABLE);
    }

    @Test
    void aCopyThatIsRefusedIsNotSaved() {
        assertThat(templates().save(X, entry(X), "a\n{{nothing}}", "ann"))
                .isEqualTo(
                        new Saving.Refused(new TemplateFault(2, TemplateFault.Code.TEMPLATE_UNKNOWN_FIELD, "nothing")));
        assertThat(entry(X).state()).isEqualTo(State.SHARED);
    }

    @Test
    void theSecondOfTwoConcurrentSavesIsAConflict() {
        Entry seen = entry(X);
        customise(X, OWN);

        assertThat(templates().save(X, seen, "<p>Other words</p>", "bob")).isInstanceOf(Saving.Conflict.class);
        Entry first = entry(X);
        customise(X, "<p>Third words</p>");
        assertThat(templates().revert(X, first)).isInstanceOf(Saving.Conflict.class);
        assertThat(templates().save(X, first, "<p>Other words</p>", "bob")).isInstanceOf(Saving.Conflict.class);
        assertThat(entry(X).text()).isEqualTo("<p>Third words</p>");
    }

    /** Checks I6: the change was saved, but its answer was lost. */
    @Test
    void repeatingASaveWhoseAnswerWasLostSucceeds() {
        Templates.OwnTemplate same =
                new Templates.OwnTemplate(OWN, entry(X).shared().version(), "ann", time.instant());
        storage.tables().write(Templates.TABLE, "x", Write.insert("welcome.html", same.values()));

        assertThat(templates().save(X, new Entry(TemplateName.WELCOME, entry(X).shared(), null, null), OWN, "ann"))
                .isInstanceOf(Saving.Done.class);
        Entry seen = entry(X);
        storage.tables().write(Templates.TABLE, "x", Write.delete("welcome.html"));
        assertThat(templates().revert(X, seen)).isInstanceOf(Saving.Done.class);
    }

    /**
     * A stale read shows the copy from before the change, in other processes only, and for {@link Templates#CACHE_TTL}
     * at most. G5, G6 and G7 rest on this; benchmark case 18 measures the time.
     */
    @Test
    void g5_g6_g7_aCustomisedPageCostsNoMoreCallsThanASharedOneAndAChangeCostsOneRead() {
        Templates existing = another();
        welcome(X);
        welcome(Y);
        welcome(existing, X);
        customise(X, OWN);

        assertThat(welcome(X)).contains("Own words");
        storage.resetCounters();
        assertThat(welcome(existing, X)).contains("Welcome!");
        assertThat(welcome(X)).contains("Own words");
        assertThat(welcome(Y)).contains("Welcome!");
        assertThat(storage.calls()).isZero();

        time.advance(Templates.CACHE_TTL);
        assertThat(welcome(existing, X)).contains("Own words");
        assertThat(storage.calls()).isEqualTo(1);
        assertThat(welcome(Y)).contains("Welcome!");
        assertThat(storage.calls()).isEqualTo(2);
    }

    @Test
    void aReadThatBeganBeforeAChangeDoesNotHideIt() {
        Entry seen = entry(X);
        storage.hook(new CallHook() {
            private boolean changed;

            @Override
            public void after(Call call) {
                if (!changed) {
                    changed = true;
                    templates().save(X, seen, OWN, "ann");
                }
            }
        });
        assertThat(welcome(X)).contains("Welcome!");

        assertThat(welcome(X)).contains("Own words");
    }

    @Test
    void duringAnOutageSubscribersSeeTheTemplatesReadBefore() {
        customise(X, OWN);
        welcome(X);
        time.advance(Templates.CACHE_TTL);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "away", null);
            }
        });

        assertThat(welcome(X)).contains("Own words");
        assertThat(templates().of(null).get(TemplateName.ERROR)).isNotNull();
        assertThatThrownBy(() -> welcome(Y)).isInstanceOf(StorageException.class);
    }

    @Test
    void aDeletedListLeavesNoTemplates() {
        customise(X, OWN);

        Templates.forget(storage.tables(), X, gone -> true);

        assertThat(entry(X).state()).isEqualTo(State.SHARED);
    }

    /** The list is deleted meanwhile, and a new one has its name. */
    @Test
    void aCopyThatIsSavedWhileTheListIsDeletedIsNotThatOfTheNextList() {
        ListStore lists = new ListStore(storage.tables());
        storage.tables().createTable(ListStore.TABLE);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        boolean reached = true;
        int call = 0;
        while (reached) {
            ListName name = new ListName("list" + ++call);
            MailingList list = MailingList.of(name, "News", from, OptIn.DOUBLE, time.instant());
            lists.create(list);
            Entry seen = entry(name);
            SleepAt sleeper = new SleepAt(call, () -> {
                lists.markDeleting(name);
                Templates.forget(storage.tables(), name, lists::isDeleting);
                lists.remove(name);
                time.advance(Duration.ofSeconds(1));
                lists.create(MailingList.of(name, "News", from, OptIn.DOUBLE, time.instant()));
            });
            storage.hook(sleeper);
            Saving saving = templates().save(list, seen, OWN, "ann");
            storage.hook(CallHook.NONE);
            reached = sleeper.slept();
            boolean saved = saving instanceof Saving.Done;
            assertThat(entry(name).state())
                    .as("at call " + call)
                    .isEqualTo(saved && !reached ? State.CUSTOMISED : State.SHARED);
        }
        assertThat(call).isGreaterThan(2);
    }

    private void customise(ListName list, String text) {
        assertThat(templates().save(list, entry(list), text, "ann")).isInstanceOf(Saving.Done.class);
    }

    private Entry entry(ListName list) {
        return templates().find(list, TemplateName.WELCOME);
    }

    private String welcome(ListName list) {
        return welcome(templates(), list);
    }

    private static String welcome(Templates templates, ListName list) {
        return templates.of(list).get(TemplateName.WELCOME).render(Map.of("address", "ann", "list", "News"));
    }

    private void replace(String text) throws IOException {
        templates();
        Files.writeString(directory.resolve("welcome.html"), text);
        time.advance(Duration.ofSeconds(1));
    }
}
