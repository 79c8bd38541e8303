package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that a message which an admin sends or schedules can be turned back into a draft until sending starts. */
class UndoTest extends OnMessagePages {

    @Autowired
    SimulatedStorage storage;

    @Autowired
    MessageSaving saving;

    @Autowired
    DraftSending drafts;

    @Test
    void aMessageIsDueHalfAMinuteAfterSendAndCanBeTakenBackUntilThen() throws Exception {
        MessageRef ref = create(Map.of("subject", "Too early", "html", HTML), Map.of());
        assertThat(browser.text()).contains("Sending starts 30 seconds after you choose Send.");

        browser.submit("/messages/" + ref + "/send", Map.of());
        assertThat(find(ref).scheduledDate()).isEqualTo(time.instant().plusSeconds(30));
        assertThat(browser.page().select("#waits").text())
                .matches("Sending starts at \\d\\d:\\d\\d:\\d\\d. Until then, you can undo this.");
        assertThat(browser.page().select(".notice form[action$=/undo]")).hasSize(1);
        assertThat(browser.open("/messages/" + ref).page().select("#undo")).hasSize(1);

        browser.submit("/messages/" + ref + "/undo", Map.of());

        assertThat(browser.address()).isEqualTo("/messages/" + ref + "/review");
        assertThat(browser.text()).contains("The message is a draft again. Nobody got it.", "Send to nobody yet");
        assertThat(find(ref).keptAsDraft()).isTrue();
        assertThat(browser.page().select("form[action$=/send]")).hasSize(1);
    }

    /** A form is sent twice. The second request sleeps at each call in turn until the message is sent. */
    @Test
    void aFormThatComesLateTakesNothingBack() throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            Message draft = find(create(Map.of("subject", "Twice", "html", HTML), Map.of()));
            MessageForm form = MessageForm.content(draft, bodies(draft.ref()), messages.source(draft), "blocks");
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            storage.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && ++calls[0] == at) {
                        drafts.send(draft);
                    }
                }
            });
            saving.save(draft.ref(), "", form, null, "ann@example.org");
            storage.hook(CallHook.NONE);
            reached = calls[0] >= at;
            assertThat(find(draft.ref()).keptAsDraft()).as("at call " + call).isEqualTo(!reached);
        }
    }

    @Test
    void aScheduledMessageThatIsTakenBackKeepsItsDate() throws Exception {
        MessageRef ref = pending("Christmas");
        assertThat(browser.page().select(".notice form[action$=/undo]")).hasSize(1);
        assertThat(browser.page().select("#waits").text()).contains("This message is scheduled for");
        assertThat(browser.open("/messages/" + ref).page().select("#undo")).isEmpty();

        browser.submit("/messages/" + ref + "/undo", Map.of());

        assertThat(find(ref).keptAsDraft()).isTrue();
        assertThat(find(ref).schedule().local()).hasToString("2026-12-24T09:00");
        assertThat(browser.page().select("form[action$=/schedule]")).hasSize(1);
    }

    @Test
    void itIsTooLateOnceItsRecipientsAreCounted() throws Exception {
        MessageRef ref = create(Map.of("subject", "Too late", "html", HTML), Map.of());
        browser.submit("/messages/" + ref + "/send", Map.of());
        time.advance(Duration.ofSeconds(31));
        take(ref);

        browser.submit("/messages/" + ref + "/undo", Map.of());

        assertThat(browser.address()).isEqualTo("/messages/" + ref);
        assertThat(browser.text()).contains("It is too late to undo: sending has started.");
        assertThat(find(ref).begun()).isTrue();
    }

    @Test
    void thePageChangesWhenTheTimeIsOver() throws Exception {
        MessageRef ref = create(Map.of("subject", "Soon", "html", HTML), Map.of());
        browser.submit("/messages/" + ref + "/send", Map.of());
        String before = version(ref);

        time.advance(Duration.ofSeconds(31));

        assertThat(version(ref)).isNotEqualTo(before);
        assertThat(browser.page().select("#undo")).isEmpty();
    }

    private String version(MessageRef ref) throws Exception {
        return browser.open("/messages/" + ref).page().select("#progress").attr("data-version");
    }

    private Message find(MessageRef ref) {
        return messages.find(ref).orElseThrow();
    }
}
