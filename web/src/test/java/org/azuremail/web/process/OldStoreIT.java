package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.awaitility.Awaitility;
import org.azuremail.storage.azurite.Azurite;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks stores of earlier versions, which were killed in the middle of their work as {@code stores/README.md}
 * describes.
 */
class OldStoreIT {

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(4);
    private static final String PEOPLE = "contoso1";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void aDataDirectoryOfAnOlderFormatGoesOnWhereItWasKilled(String format) throws Exception {
        Path store = unpacked(format + "/embedded");
        goesOn(expected(format + "/embedded"), store);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void anAzureStorageOfAnOlderFormatGoesOnWhereItWasKilled(String format) throws Exception {
        try (Azurite azurite = Azurite.in(unpacked(format + "/azurite"))) {
            goesOn(
                    expected(format + "/azurite"),
                    directory.resolve("data"),
                    "azuremail.storage=azure",
                    "azuremail.azure.connection-string=" + azurite.connectionString());
        }
    }

    private void goesOn(DocumentContext expected, Path data, String... storage) throws Exception {
        try (SmtpSink sink = new SmtpSink(Integer.MAX_VALUE);
                LocalService service = LocalService.start(data, settings(sink, storage))) {
            Visit visit = new Visit(expected, sink, service);
            visit.everythingIsThere();
            visit.theAdditionsOfFormat3AreThere();
            visit.theInterruptedMessageEnds();
            visit.oldLinksUnsubscribe();
            visit.theOldConfirmationLinkOffersANewEmail();
            visit.thePausedMessageGoesOn();
        }
    }

    private static String[] settings(SmtpSink sink, String... storage) {
        return Stream.concat(
                        Stream.of(storage),
                        Stream.of(
                                "azuremail.mail.transport=smtp",
                                "azuremail.mail.smtp.host=127.0.0.1",
                                "azuremail.mail.smtp.starttls=false",
                                "azuremail.mail.smtp.port=" + sink.port(),
                                "azuremail.mail.rate=0",
                                // Makes the confirmation link of each old store too old, whenever this test runs.
                                "azuremail.subscription.confirmation-link=1m"))
                .toArray(String[]::new);
    }

    /** A series of checks of a store that a newer program opened. */
    private record Visit(DocumentContext expected, SmtpSink sink, LocalService service) {

        String message(String name) {
            return "/api/v1/messages/" + expected.<String>read("$." + name);
        }

        List<String> people(String name) {
            return expected.read("$." + name);
        }

        String link(String name) {
            return service.url() + expected.<String>read("$." + name);
        }

        String stateOf(String email) {
            return service.program().state("/api/v1/lists/" + PEOPLE + "/subscriptions/" + email);
        }

        void everythingIsThere() {
            Program program = service.program();
            Program.Answer list = program.get("/api/v1/lists/" + PEOPLE);
            assertThat(list.count("counts.subscribed")).isEqualTo(44);
            assertThat(list.count("counts.unconfirmed")).isEqualTo(1);
            assertThat(list.<List<String>>at("$.attributes")).containsExactly("city");
            assertThat(stateOf("reader1@example.com")).isEqualTo("unsubscribed");
            assertThat(stateOf("confirmed1@example.com")).isEqualTo("subscribed");
            Program.Answer completed = program.get(message("completed"));
            assertThat(completed.<String>at("$.state")).isEqualTo("completed");
            assertThat(List.of(completed.count("sent"), completed.count("failed"), completed.count("unknown")))
                    .containsExactly(43L, 1L, 1L);
            assertThat(program.recipients(message("completed"), "unknown")).containsExactly("doubt1@example.com");
            assertThat(program.state(message("scheduled"))).isEqualTo("pending");
            assertThat(program.state(message("draft"))).isEqualTo("pending");
            assertThat(program.state(message("cancelled"))).isEqualTo("cancelled");
            Program.Answer paused = program.get(message("paused"));
            assertThat(paused.<Boolean>at("$.paused")).isTrue();
            assertThat(paused.count("sent")).isEqualTo(people("pausedTo").size());
        }

        /** Checks segments, several lists, classes, suppressions and watchers. */
        void theAdditionsOfFormat3AreThere() {
            if (!expected.<Map<String, Object>>read("$").containsKey("severalLists")) {
                return;
            }
            Program program = service.program();
            Program.Answer several = program.get(message("severalLists"));
            assertThat(several.<List<String>>at("$.lists")).containsExactly("extra1", "extra2");
            assertThat(several.<String>at("$.mailClass")).isEqualTo("High");
            assertThat(List.of(several.count("sent"), several.count("skipped"))).containsExactly(3L, 1L);
            assertThat(program.get(message("toSegment")).<String>at("$.segment"))
                    .isEqualTo("berlin");
            assertThat(program.get(expected.read("$.segment") + "/people").count("people"))
                    .isEqualTo(2);
            String inParis = "/api/v1/lists/extra1/subscriptions?field=city&prefix=Paris";
            Awaitility.await("the index of the field")
                    .atMost(LONG_ENOUGH)
                    .until(() -> program.get(inParis).status() == 200);
            assertThat(program.get(inParis).<List<String>>at("$.items[*].email"))
                    .containsExactly("bob@example.net");
            assertThat(program.get("/api/v1/suppressions/bounced@example.net").status())
                    .isEqualTo(200);
            assertThat(program.get(expected.read("$.watcher")).<String>at("$.kind"))
                    .isEqualTo("feed");
        }

        /** The old process was killed while it handed emails over. */
        void theInterruptedMessageEnds() {
            Program.Answer end = service.program().awaitCompletion(message("interrupted"), LONG_ENOUGH);
            assertThat(end.count("recipients")).isEqualTo(30);
            List<String> unknown = service.program().recipients(message("interrupted"), "unknown");
            List<String> now = taken("job");
            assertThat(now).doesNotHaveDuplicates().doesNotContainAnyElementsOf(people("interruptedBegun"));
            assertThat(unknown).doesNotContainAnyElementsOf(now);
            assertThat(end.count("sent") + unknown.size()).isEqualTo(30);
        }

        void oldLinksUnsubscribe() {
            for (String person : List.of("unsubscribe", "moved")) {
                Visitor visitor = new Visitor();
                var page = visitor.open(link(person));
                assertThat(page.statusCode()).isEqualTo(200);
                var gone = visitor.press(page, "/unsubscribe", Map.of("answer", "confirm"));
                assertThat(gone.statusCode()).isEqualTo(200);
            }
            assertThat(stateOf("reader3@example.com")).isEqualTo("unsubscribed");
            assertThat(stateOf("moved5@example.com")).isEqualTo("unsubscribed");
            assertThat(new Visitor().open(link("left")).statusCode()).isEqualTo(200);
        }

        void theOldConfirmationLinkOffersANewEmail() {
            Visitor visitor = new Visitor();
            var page = visitor.open(link("waiting"));
            assertThat(page.statusCode()).isEqualTo(200);
            var sent = visitor.press(page, "/subscribe", Map.of("answer", "new-link"));
            assertThat(sent.statusCode()).isEqualTo(200);
            assertThat(stateOf("waiting1@example.com")).isEqualTo("unconfirmed");
            Awaitility.await("a new confirmation email")
                    .atMost(LONG_ENOUGH)
                    .untilAsserted(() -> assertThat(sink.taken()).contains("waiting1@example.com"));
        }

        void thePausedMessageGoesOn() {
            assertThat(service.program().act(message("paused"), "resume").status())
                    .isEqualTo(200);
            Program.Answer end = service.program().awaitCompletion(message("paused"), LONG_ENOUGH);
            assertThat(end.count("recipients")).isEqualTo(44);
            List<String> all = new ArrayList<>(people("pausedTo"));
            all.addAll(sink.taken().stream()
                    .filter(one -> !one.startsWith("job") && !one.equals("waiting1@example.com"))
                    .toList());
            assertThat(all).doesNotHaveDuplicates().hasSize((int) end.count("sent"));
            assertThat(end.count("sent") + end.count("skipped")).isEqualTo(44);
            assertThat(taken("")).doesNotContain("reader3@example.com", "moved5@example.com", "reader1@example.com");
        }

        List<String> taken(String prefix) {
            return sink.taken().stream().filter(one -> one.startsWith(prefix)).toList();
        }
    }

    private static DocumentContext expected(String name) throws IOException {
        try (InputStream file = resource(name + ".json")) {
            return JsonPath.parse(file);
        }
    }

    private Path unpacked(String name) throws IOException {
        Path target = directory.resolve("store");
        try (ZipInputStream zip = new ZipInputStream(resource(name + ".zip"))) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                Path file = directory.resolve(entry.getName()).normalize();
                assertThat(file).startsWithRaw(directory);
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        return target;
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(OldStoreIT.class.getResourceAsStream("/stores/" + name), name);
    }
}
