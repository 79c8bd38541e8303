package org.azuremail.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the outbox on the embedded storage, which is the default. */
class OutboxEmbeddedTest {

    private static final int MAILS = 19_800;
    private static final int LOT = 99;

    @TempDir
    Path directory;

    @Test
    void mailsOfSixKilobytesTakeHalfOfOneEach() {
        MailContent content = TestMails.content(
                "1",
                "News for {{name}}",
                "<p>{{name}}</p>" + "<p>0123456789</p>".repeat(300) + "<a href=\"{{unsubscribe}}\">Unsubscribe</a>",
                "{{name}} of {{city}}\n" + "text ".repeat(150) + "{{unsubscribe}}");
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory, Time.system())) {
            OutboxStore outbox = new OutboxStore(storage.storage(), Time.system(), new SeededIds(1));
            outbox.store(new MailLot(
                    content, java.util.List.of(TestMails.mail("student1@domain.com", "", Map.of("name", "Student")))));
            for (int first = 1; first <= MAILS; first += LOT) {
                assertThat(outbox.store(new MailLot(content, TestMails.mails(first, LOT)))
                                .certain())
                        .isEqualTo(LOT);
            }

            assertThat(outbox.to(new EmailAddress("student1@domain.com"), 10, null)
                            .items())
                    .extracting(OutboxStore.Entry::subject)
                    .containsExactly("News for Student");
            assertThat(outbox.find(outbox.newest(1, null).items().get(0).id())
                            .orElseThrow()
                            .raw())
                    .hasSizeGreaterThan(6_000);
        }
        assertThat(size(directory)).isLessThan(MAILS * 500L);
    }

    private static long size(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
