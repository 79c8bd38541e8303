package org.azuremail.work.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.azuremail.id.InstallationKey;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks signals over real connections: one process listens, and others call it. */
@ExtendWith(OutputCaptureExtension.class)
class HttpSignalsTest {

    private static final Signal WORK = Signal.work("azuremailqueue");

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final List<Signal> received = new CopyOnWriteArrayList<>();
    private final Instances instances = new Instances(storage.storage(), time, new SeededIds(1)::token, Stream::of);
    private final InstallationKey key = key(1);
    private final SignalServer server = new SignalServer(
            new SignalSettings(0, "127.0.0.1", null, Duration.ofMinutes(1)).complete(true),
            signal -> {
                received.add(signal);
                return Signal.Answer.TAKEN;
            },
            key,
            instances::self,
            time);
    private Instance listener;

    private InstallationKey key(long seed) {
        return new InstallationKey(storage.tables(), "signals", new SeededIds(seed), time);
    }

    @BeforeEach
    void listen() {
        listener = instances.register(new Instances.Registration(
                "mill", Set.of("sender"), Set.of("azuremailqueue"), Set.of(), server.start()));
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private int status(String sentAt, String seal, byte[] body) throws Exception {
        return status("POST", SignalServer.PATH, sentAt, seal, body);
    }

    private int status(String method, String path, String sentAt, String seal, byte[] body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + listener.signalAddress() + path))
                .timeout(Duration.ofSeconds(10))
                .header(SignalSignature.TIME_HEADER, sentAt)
                .header(SignalSignature.SEAL_HEADER, seal)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void aSignalOfAnotherProcessArrives() {
        Signal.Answer answer = new HttpSignalSender(key(2), time).send(listener.id(), listener.signalAddress(), WORK);

        assertThat(answer).isEqualTo(Signal.Answer.TAKEN);
        assertThat(received).containsExactly(WORK);
    }

    @Test
    void everyKindTravels() {
        SignalSender sender = new HttpSignalSender(key, time);
        List<Signal> all = List.of(
                WORK,
                Signal.run("due-messages"),
                Signal.messagesActive(Duration.ofSeconds(150)),
                Signal.of(Signal.Kind.SWITCHES),
                Signal.of(Signal.Kind.INSTANCES));

        all.forEach(signal -> sender.send(listener.id(), listener.signalAddress(), signal));

        assertThat(received).containsExactlyElementsOf(all);
    }

    @Test
    void theKeyIsMadeOnceAndHas256Bits() {
        byte[] first = key(7).bytes();
        byte[] second = key(8).bytes();

        assertThat(first).hasSize(32).isEqualTo(second);
        assertThat(Rows.all(storage.tables(), "work", KeyRange.partition("secret")))
                .hasSize(1);
    }

    @Test
    void aSenderWithAnotherKeyIsRefused(CapturedOutput output) {
        SimulatedStorage elsewhere = new SimulatedStorage(time);
        InstallationKey foreign = new InstallationKey(elsewhere.tables(), "signals", new SeededIds(99), time);

        assertThat(new HttpSignalSender(foreign, time).send(listener.id(), listener.signalAddress(), WORK))
                .isEqualTo(Signal.Answer.SILENT);

        assertThat(received).isEmpty();
        assertThat(output.getAll())
                .contains("without a valid seal")
                .doesNotContain(java.util.Base64.getEncoder().encodeToString(key.bytes()));
    }

    @Test
    void aLetterWithOneChangedByteIsRefused() throws Exception {
        SignalSignature signature = new SignalSignature(key, time);
        byte[] body = SignalRequest.write(listener.id(), WORK);
        String right = signature.of(signature.now(), body);
        body[body.length - 3] ^= 1;

        assertThat(status(signature.now(), right, body)).isEqualTo(401);
        assertThat(status(signature.now(), "", body)).isEqualTo(401);
        assertThat(received).isEmpty();
    }

    @Test
    @DisplayName("L-12: clocks a minute apart are fine, what is older is refused")
    void l12_clocksOfTwoHostsMayDifferByAMinute() throws Exception {
        for (long skew : new long[] {-60, 60}) {
            ManualTime other = ManualTime.at(time.instant().plusSeconds(skew));
            assertThat(new HttpSignalSender(key, other).send(listener.id(), listener.signalAddress(), WORK))
                    .isEqualTo(Signal.Answer.TAKEN);
        }
        for (long skew : new long[] {-76, 76}) {
            ManualTime other = ManualTime.at(time.instant().plusSeconds(skew));
            assertThat(new HttpSignalSender(key, other).send(listener.id(), listener.signalAddress(), WORK))
                    .isEqualTo(Signal.Answer.SILENT);
        }
        byte[] body = SignalRequest.write(listener.id(), WORK);
        SignalSignature signature = new SignalSignature(key, time);
        assertThat(status("yesterday", signature.of("yesterday", body), body)).isEqualTo(401);
        assertThat(received).hasSize(2);
    }

    @Test
    void aKeptSignalCannotBeSentToAnother() throws Exception {
        SignalSignature signature = new SignalSignature(key, time);
        byte[] body = SignalRequest.write("somebody else", WORK);

        assertThat(status(signature.now(), signature.of(signature.now(), body), body))
                .isEqualTo(410);
        assertThat(received).isEmpty();
    }

    @Test
    void requestsThatAreNoSignalAreRefused() throws Exception {
        SignalSignature signature = new SignalSignature(key, time);
        String now = signature.now();
        byte[] large = new byte[SignalRequest.MAX_BYTES + 1];
        byte[] strange = "{\"to\":1}".getBytes(StandardCharsets.UTF_8);
        byte[] fine = SignalRequest.write(listener.id(), WORK);

        assertThat(status(now, signature.of(now, large), large)).isEqualTo(413);
        assertThat(status(now, signature.of(now, strange), strange)).isEqualTo(400);
        assertThat(status("GET", SignalServer.PATH, now, signature.of(now, fine), new byte[0]))
                .isEqualTo(405);
        assertThat(status("POST", "/", now, signature.of(now, fine), fine)).isEqualTo(404);
        assertThat(received).isEmpty();
    }

    @Test
    void afterARestoreTheNewKeyIsFoundWithinAMinute() {
        new HttpSignalSender(key, time).send(listener.id(), listener.signalAddress(), WORK);
        storage.tables().write("work", "secret", List.of(org.azuremail.storage.Write.delete("signals")));
        SignalSender renewed = new HttpSignalSender(key(5), time);
        assertThat(renewed.send(listener.id(), listener.signalAddress(), WORK)).isEqualTo(Signal.Answer.SILENT);

        time.advance(Duration.ofMinutes(1));

        assertThat(renewed.send(listener.id(), listener.signalAddress(), WORK)).isEqualTo(Signal.Answer.TAKEN);
    }

    @Test
    void aServerThatHasStoppedIsSilent() {
        server.stop();

        assertThat(new HttpSignalSender(key, time).send(listener.id(), listener.signalAddress(), WORK))
                .isEqualTo(Signal.Answer.SILENT);
    }

    @Test
    void anAddressThatCannotBeHadCostsSignalsNotTheProcess() {
        SignalServer second = new SignalServer(
                new SignalSettings(
                        Integer.parseInt(listener.signalAddress().split(":")[1]),
                        "127.0.0.1",
                        null,
                        Duration.ofMinutes(1)),
                signal -> Signal.Answer.TAKEN,
                key,
                instances::self,
                time);

        assertThat(second.start()).isEmpty();
        second.stop();
    }

    @Test
    void anAddressThatLeadsToOtherNetworksPrecedesTheMachinesOwnNetworks() throws Exception {
        InetAddress containers = InetAddress.getByName("172.17.0.1");
        InetAddress own = InetAddress.getByName("10.1.0.5");
        InetAddress everywhere = InetAddress.getByName("203.0.113.5");

        assertThat(SignalSettings.best(Optional.of(own), Stream.of(containers, own)))
                .contains(own);
        assertThat(SignalSettings.best(Optional.of(everywhere), Stream.of(everywhere, own)))
                .contains(own);
        assertThat(SignalSettings.best(Optional.empty(), Stream.of(everywhere, own)))
                .contains(own);
        assertThat(SignalSettings.best(Optional.of(everywhere), Stream.of(everywhere)))
                .contains(everywhere);
    }
}
