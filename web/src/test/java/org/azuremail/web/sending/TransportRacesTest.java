package org.azuremail.web.sending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.limit.Limits;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.sending.StoredTransport;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks what happens when two admins change the same transport at the same time. */
class TransportRacesTest extends OnTransports {

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    TransportChanges changes;

    /**
     * One request sleeps at each call in turn, while another admin adds a transport with the same name and limits it.
     */
    @Test
    void theLimitsOfATransportThatComesAfterARemovedOneStay() {
        Limits chosen = new Limits(0, 5, 0, 0);
        TransportChanges.Wanted wanted = new TransportChanges.Wanted("again", "outbox", Map.of(), WhenFull.WAIT);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            changes.add(wanted, Limits.perSecond(10), "ann@example.org");
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                private boolean inside;

                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && !inside) {
                        inside = true;
                        if (transports.refresh().added().isEmpty() && ++calls[0] == at) {
                            changes.add(wanted, Limits.perSecond(10), "bob@example.org");
                            limits.of("again").change(chosen);
                        }
                        inside = false;
                    }
                }
            });
            changes.remove("again", transports.refresh().added().get("again").etag(), "ann@example.org");
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            if (reached) {
                assertThat(limits.of("again").limits()).as("at call " + call).isEqualTo(chosen);
                changes.remove(
                        "again", transports.refresh().added().get("again").etag(), "ann@example.org");
            }
        }
    }

    /** Two admins add a transport with the same name, and the request of one sleeps at each call in turn. */
    @Test
    void theLimitsOfATransportThatSomebodyElseAddsMeanwhileStay() {
        Limits chosen = new Limits(0, 5, 0, 0);
        TransportChanges.Wanted wanted = new TransportChanges.Wanted("twice", "outbox", Map.of(), WhenFull.WAIT);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && ++calls[0] == at) {
                        changes.add(wanted, Limits.perSecond(10), "bob@example.org");
                        limits.of("twice").change(chosen);
                    }
                }
            });
            changes.add(wanted, Limits.perSecond(10), "ann@example.org");
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            assertThat(limits.of("twice").limits())
                    .as("at call " + call)
                    .isEqualTo(reached ? chosen : Limits.perSecond(10));
            changes.remove("twice", transports.refresh().added().get("twice").etag(), "ann@example.org");
        }
    }

    /**
     * Whenever another admin saves while the page of a conflict is created, the next save from this page overwrites
     * only values that it shows.
     */
    @Test
    void aConflictShowsWhatTheNextSaveOverwrites() throws Exception {
        browser.signIn();
        add("relay", "smtp.example.org", 2525);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            browser.open("/settings/transports/relay/edit");
            save("first" + call + ".example.org");
            String last = "last" + call + ".example.org";
            int[] calls = {0};
            int at = call;
            Thread sleeper = Thread.currentThread();
            simulated.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (Thread.currentThread() == sleeper && next.place().equals("work") && ++calls[0] == at) {
                        save(last);
                    }
                }
            });
            browser.submit("/settings/transports/relay/edit", Map.of("set.host", "mine.example.org"));
            simulated.hook(CallHook.NONE);
            reached = calls[0] >= at;
            boolean wins = browser.page()
                    .select("[name=etag]")
                    .val()
                    .equals(transports.refresh().added().get("relay").etag());
            assertThat(wins && reached && !browser.text().contains(last))
                    .as("overwrites what it does not show, at call " + call)
                    .isFalse();
        }
    }

    private void save(String host) {
        Map<String, String> settings = Map.of("host", host, "port", "2525", "username", "ann");
        changes.change(
                new TransportChanges.Wanted("relay", "smtp", settings, WhenFull.WAIT),
                transports.refresh().added().get("relay").etag(),
                "bob@example.org");
    }

    @Test
    void ofTwoAdminsWhoChangeTheSameTransportTheSecondSeesWhatTheFirstSaved() throws Exception {
        browser.signIn();
        add("relay", "smtp.example.org", 2525);
        browser.open("/settings/transports/relay/edit");
        Versioned<StoredTransport> read = transports.refresh().added().get("relay");
        Map<String, String> other = new HashMap<>(read.value().settings());
        other.put("host", "first.example.org");
        transports.save(
                new StoredTransport(
                        "relay",
                        "smtp",
                        other,
                        read.value().secrets(),
                        read.value().whenFull(),
                        Instant.EPOCH,
                        "bob"),
                read.etag());

        browser.submit("/settings/transports/relay/edit", Map.of("set.host", "second.example.org"));
        assertThat(browser.text()).contains("modified by another user", "Current value: first.example.org");
        assertThat(browser.page().getElementById("set.host").val()).isEqualTo("second.example.org");
        browser.submit("/settings/transports/relay/edit", Map.of());
        assertThat(transports.refresh().added().get("relay").value().settings())
                .containsEntry("host", "second.example.org");
    }
}
