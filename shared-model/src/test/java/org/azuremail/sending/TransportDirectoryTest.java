package org.azuremail.sending;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Checks the common order of transports from the settings and from the page. */
class TransportDirectoryTest {

    private static final Map<String, String> TWO = Map.of(
            "azuremail.mail.transports.main.kind", "outbox",
            "azuremail.mail.transports.spare.kind", "outbox",
            "azuremail.mail.order", "main,spare");

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    private TransportDirectory directory(Map<String, String> settings) {
        return directory(settings, storage.storage());
    }

    private TransportDirectory directory(Map<String, String> settings, Storage itsStorage) {
        MailProperties mail = new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("azuremail.mail", MailProperties.class);
        return new TransportDirectory(itsStorage, mail, time);
    }

    private StoredTransport transport(String name, String host) {
        return new StoredTransport(
                name, "smtp", Map.of("host", host), Map.of("api-key", "v1.x.y"), WhenFull.NEXT, time.instant(), "ann");
    }

    @Test
    void anAddedTransportIsKnownAndNotInUseUntilSomebodySaysSo() {
        TransportDirectory directory = directory(Map.of());

        assertThat(directory.save(transport("relay", "a"), null)).isTrue();
        assertThat(directory.names()).containsExactly("outbox", "relay");
        assertThat(directory.order()).containsExactly("outbox");
        assertThat(directory.sendsExternally()).isFalse();
        assertThat(directory.refresh().added().get("relay").value()).isEqualTo(transport("relay", "a"));

        assertThat(directory.reorder(List.of("outbox"), List.of("relay"))).isTrue();
        assertThat(directory.order())
                .as("the outbox that nobody chose gives way")
                .containsExactly("relay");
        assertThat(directory.sendsExternally()).isTrue();
        assertThat(directory.reorder(List.of("relay"), List.of())).isTrue();
        assertThat(directory.order()).containsExactly("outbox");
    }

    @Test
    void anotherProcessHearsOfAChangeWithinFiveSeconds() {
        TransportDirectory here = directory(TWO);
        TransportDirectory existing = directory(TWO);
        TransportDirectory.Snapshot before = existing.recent();

        here.save(transport("relay", "a"), null);
        assertThat(existing.recent()).isSameAs(before);
        time.advance(Duration.ofSeconds(5));
        assertThat(existing.names()).containsExactly("main", "spare", "relay");
    }

    @Test
    void i6_aTransportIsSavedAlsoWhenTheAnswerWasLostAndTheLibraryRepeatedTheCall() {
        Faults faults = new Faults(Faults.Mode.REPEATED, 1, () -> {});
        TransportDirectory directory = directory(Map.of(), faults.around(storage.storage()));

        assertThat(directory.save(transport("relay", "a"), null)).isTrue();
        assertThat(directory.names()).containsExactly("outbox", "relay");
    }

    @Test
    void theSecondOfTwoChangesToATransportIsRefused() {
        TransportDirectory directory = directory(Map.of());
        directory.save(transport("relay", "a"), null);
        String etag = directory.refresh().added().get("relay").etag();

        assertThat(directory.save(transport("relay", "b"), etag)).isTrue();
        assertThat(directory.save(transport("relay", "c"), etag)).isFalse();
        assertThat(directory.save(transport("relay", "d"), null)).isFalse();
        assertThat(directory.remove("relay", etag)).isFalse();
        assertThat(directory.refresh().added().get("relay").value().settings()).containsEntry("host", "b");
    }

    @Test
    void anOrderThatSomebodyElseChangedMeanwhileIsNotOverwritten() {
        TransportDirectory directory = directory(TWO);

        assertThat(directory.reorder(List.of("main", "spare"), List.of("spare", "main")))
                .isTrue();
        assertThat(directory.reorder(List.of("main", "spare"), List.of("main"))).isFalse();
        assertThat(directory.order()).containsExactly("spare", "main");
    }

    @Test
    void aTransportThatTheSettingsBringLaterIsInTheOrderUnlessItWasLeftOut() {
        TransportDirectory before = directory(TWO);
        before.save(transport("relay", "a"), null);
        before.reorder(List.of("main", "spare"), List.of("relay", "main"));

        TransportDirectory after = directory(Map.of(
                "azuremail.mail.transports.main.kind", "outbox",
                "azuremail.mail.transports.spare.kind", "outbox",
                "azuremail.mail.transports.third.kind", "outbox",
                "azuremail.mail.order", "main,spare,third"));
        assertThat(after.order()).containsExactly("relay", "main", "third");
    }

    @Test
    void aNameInTheSettingsWinsOverOneThatWasAdded() {
        directory(Map.of()).save(transport("main", "a"), null);

        TransportDirectory directory = directory(TWO);
        assertThat(directory.names()).containsExactly("main", "spare");
        assertThat(directory.fixed("main")).isTrue();
        assertThat(directory.refresh().added()).isEmpty();
    }

    @Test
    void removingTakesThePlaceInTheOrderAlong() {
        TransportDirectory directory = directory(Map.of());
        directory.save(transport("relay", "a"), null);
        directory.reorder(List.of("outbox"), List.of("relay"));

        assertThat(directory.remove(
                        "relay", directory.refresh().added().get("relay").etag()))
                .isTrue();
        assertThat(directory.order()).containsExactly("outbox");
        directory.save(transport("relay", "b"), null);
        assertThat(directory.order()).as("one of the same name begins anew").containsExactly("outbox");
    }

    @Test
    void aTransportLeavesTheOrderAlsoWhereSomebodyPutsItThereAtThatMoment() {
        TransportDirectory here = directory(Map.of());
        TransportDirectory existing = directory(Map.of());
        here.save(transport("relay", "a"), null);
        String etag = here.refresh().added().get("relay").etag();
        before(Call.Kind.WRITE, () -> existing.reorder(List.of("outbox"), List.of("relay")));

        assertThat(here.remove("relay", etag)).as("it is in use by now").isFalse();
        assertThat(here.order()).containsExactly("relay");

        here.reorder(List.of("relay"), List.of());
        before(Call.Kind.WRITE, () -> existing.remove("relay", etag));

        assertThat(here.reorder(List.of("outbox"), List.of("relay"))).isFalse();
        here.save(transport("relay", "b"), null);
        assertThat(here.order()).containsExactly("outbox");
    }

    private void before(Call.Kind kind, Runnable action) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == kind) {
                    storage.hook(CallHook.NONE);
                    action.run();
                }
            }
        });
    }
}
