package org.azuremail.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.TextPart;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that a generated text part follows the HTML, and that a typed one remains. */
class GeneratedTextTest {

    private static final ListName LIST = new ListName("readers");

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final Storage storage = new SimulatedStorage(time, 7).storage();
    private MessageStore store;
    private Messages messages;

    @BeforeEach
    void aList() {
        storage.tables().createTable(ListStore.TABLE);
        ListStore lists = new ListStore(storage.tables());
        store = new MessageStore(storage.tables());
        messages = MessagesInTests.on(storage, time);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        lists.create(MailingList.of(LIST, "Readers", from, OptIn.DOUBLE, time.instant()));
    }

    @Test
    void textOfADraftThatWasSavedWithoutOneFollowsTheHtml() {
        MessageRef ref = create("<p>Old</p>", " ");

        edit(ref, "News", "<p>New</p>", null);
        assertThat(text(ref)).isEqualTo("New\n");

        edit(ref, "News", "<p>Newer</p>", " \n");
        assertThat(text(ref)).isEqualTo("Newer\n");
    }

    @Test
    void generatedTextThatIsSentBackIsStillGenerated() {
        MessageRef ref = create("<p>Old</p><p>and more</p>", null);

        edit(ref, "News", "<p>New</p>", "Old\r\n\r\nand more\r\n");

        assertThat(text(ref)).isEqualTo("New\n");
        assertThat(textPart(ref)).isEqualTo(TextPart.GENERATED);
    }

    @Test
    void generatedTextThatIsCopiedIntoANewMessageFollowsToo() {
        MessageRef copy = create("<p>Old</p>", text(create("<p>Old</p>", null)));

        edit(copy, "News", "<p>New</p>", null);

        assertThat(text(copy)).isEqualTo("New\n");
    }

    @Test
    void writtenTextStaysWhateverBecomesOfTheHtml() {
        MessageRef ref = create("<p>Old</p>", "By hand");
        edit(ref, "News", "<p>New</p>", null);
        assertThat(text(ref)).isEqualTo("By hand");

        MessageRef other = create("<p>Old</p>", null);
        edit(other, "News", null, "By hand");
        edit(other, "News", "<p>New</p>", null);
        assertThat(text(other)).isEqualTo("By hand");
        assertThat(textPart(other)).as("older than the HTML").isEqualTo(TextPart.OUTDATED);
    }

    @Test
    void writtenTextThatIsTakenOutIsGenerated() {
        MessageRef ref = create("<p>Old</p>", "By hand");

        edit(ref, "News", null, "");
        edit(ref, "News", "<p>New</p>", null);

        assertThat(text(ref)).isEqualTo("New\n");
    }

    @Test
    void subjectThatStandsInForATextIsFollowed() {
        MessageRef ref = create("<p></p>", null);
        assertThat(text(ref)).isEqualTo("News\n");

        edit(ref, "Other", null, null);

        assertThat(text(ref)).isEqualTo("Other\n");
    }

    @Test
    void messageOfAnOlderVersionFollowsTheHtmlWhenItsTextSaysTheSame() {
        MessageRef generated = ofAnOlderVersion(create("<ol><li>One<li>Two</ol>", "* One\n* Two"));
        MessageRef written = ofAnOlderVersion(create("<p>One, two</p>", "One, two, three"));

        edit(generated, "News", "<p>New</p>", null);
        edit(written, "News", "<p>New</p>", null);

        assertThat(text(generated)).isEqualTo("New\n");
        assertThat(text(written)).isEqualTo("One, two, three");
    }

    @Test
    void textOfAnOlderVersionKeepsItsLayoutAsLongAsTheHtmlStays() {
        MessageRef ref = ofAnOlderVersion(create("<ul><li>One<li>Two</ul>", "* One\n* Two"));

        edit(ref, "News", null, null);
        edit(ref, "News", null, "");
        edit(ref, "News", "<ul><li>One<li>Two</ul>", null);

        assertThat(text(ref)).isEqualTo("* One\n* Two");
    }

    private MessageRef ofAnOlderVersion(MessageRef ref) {
        Versioned<Message> found = messages.findActive(ref).orElseThrow();
        store.replace(found, Message.from(found.value().toValues().with("TextPart", null)));
        return ref;
    }

    private MessageRef create(String html, @Nullable String text) {
        Schedule later = new Schedule(time.instant().plus(Duration.ofDays(2)), ZoneOffset.UTC);
        Messages.MessageCreateResult made = messages.create(
                new Messages.NewMessage(LIST, Draft.of("News", html, text), later, OnUnknown.HOLD, "ann", false));
        return ((Messages.MessageCreateResult.Created) made).message().ref();
    }

    private void edit(MessageRef ref, String subject, @Nullable String html, @Nullable String text) {
        Versioned<Message> found = messages.findActive(ref).orElseThrow();
        Schedule same = new Schedule(found.value().scheduledDate(), ZoneOffset.UTC);
        assertThat(messages.edit(
                        ref,
                        found.etag(),
                        MessagesInTests.change(LIST, subject, utf8(html), utf8(text), same, OnUnknown.HOLD)))
                .isInstanceOf(Messages.MessageEditResult.Edited.class);
    }

    private static byte @Nullable [] utf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private String text(MessageRef ref) {
        return messages.bodies(messages.find(ref).orElseThrow()).orElseThrow().text();
    }

    private @Nullable TextPart textPart(MessageRef ref) {
        return messages.find(ref).orElseThrow().content().textPart();
    }
}
