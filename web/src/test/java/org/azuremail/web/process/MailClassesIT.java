package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;
import org.azuremail.web.process.Mailings.Mailing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks mail classes with real processes. The tests assert an order, never a speed. */
class MailClassesIT {

    private static final int READERS = 1_600;

    /** The number of messages of the class High. */
    private static final int HIGH = 2;

    private static final Duration PER_MAIL = Duration.ofMillis(40);
    private static final Duration PER_LOW_MAIL = Duration.ofMillis(400);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NEWCOMER = "newcomer@example.org";

    @TempDir
    Path directory;

    @Test
    @Tag("long")
    @Timeout(900)
    @DisplayName(
            "P-2, P-4, P-6: a strict pool starves Low while High has work, and not for longer than the ageing; what a killed"
                    + " sender held goes before Low again; a confirmation passes them all")
    void p2_p4_p6_aSenderThatServesHighFirstIsKilledAndAnotherLetsLowHaveItsTurn() throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        try (MailCount mails = new MailCount(1, PER_MAIL);
                LocalService web = LocalService.start(data, "azuremail.roles=web,scheduler")) {
            Mailings mailings = new Mailings(web.program(), mails);
            List<String> readers = Program.readers(READERS);
            web.program().makeList("crowd");
            web.program().importAddresses("crowd", readers);
            mails.slow("low", PER_LOW_MAIL);
            List<Mailing> high = new ArrayList<>();
            IntSupplier mailed = () -> high.stream().mapToInt(mailings::mailed).sum();
            String low;
            try (WorkerProcess first = sender(data, web, mails, Duration.ofHours(1))) {
                for (int message = 0; message < HIGH; message++) {
                    String subject = "high " + message;
                    high.add(new Mailing(web.program().send("crowd", subject, "hold", "High"), subject, readers, 1));
                }
                until(() -> mailed.getAsInt() > 0);
                low = web.program().send("crowd", "low", "hold", "Low");
                until(() -> web.program().get(low).count("waiting") > 0);
                int before = mailed.getAsInt();

                web.program().subscribe("crowd", NEWCOMER);
                until(() -> mails.hasMailed(NEWCOMER));
                assertThat(mailed.getAsInt())
                        .as("High mails when the confirmation came")
                        .isLessThan(HIGH * READERS);

                until(() -> mailed.getAsInt() > before + READERS / 4);
                assertThat(mails.mails("low")).as("Low mails beside High").isZero();
                first.kill();
            }
            int killedAt = mailed.getAsInt();

            try (WorkerProcess second = sender(data, web, mails, Duration.ofSeconds(2))) {
                until(() -> mails.mails("low") > 0);
                System.out.printf("P-2: killed at %d of High, Low begun at %d%n", killedAt, mailed.getAsInt());
                assertThat(mailed.getAsInt()).as("High mails when Low began").isLessThan(HIGH * READERS);

                mailings.inDoubt(high.get(0));
                System.out.printf("P-4: what was held ended when %d of Low were sent%n", mails.mails("low"));
                assertThat(mails.mails("low")).as("Low mails by then").isLessThan(READERS);
                assertThat(second.running()).isTrue();
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(300)
    @DisplayName(
            "R15: the demo posts ten Low and then ten High messages, and only the two Low that had begun end before them")
    void r15_theDemoShowsThatHighFinishesFirst() throws Exception {
        Path said = directory.resolve("said");
        Process demo = new ProcessBuilder("../infra/demo/priority", "strict", "1")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(demo.waitFor(4, TimeUnit.MINUTES)).isTrue();

        String order = Files.readString(said);
        assertThat(demo.exitValue()).as(order).isZero();
        List<String> finished = order.lines()
                .filter(line -> line.contains(" finished by "))
                .map(line -> line.contains(" High ") ? "High" : "Low")
                .toList();
        assertThat(finished).as(order).hasSize(20);
        assertThat(finished.subList(0, finished.lastIndexOf("High")))
                .as(order)
                .filteredOn("Low"::equals)
                .hasSizeLessThanOrEqualTo(2);
    }

    private static WorkerProcess sender(Path data, LocalService web, MailCount mails, Duration ageing)
            throws Exception {
        List<String> settings = List.of(
                "azuremail.mail-classes.pool=strict",
                "azuremail.public-url=" + web.url(),
                "azuremail.mail.transport=smtp",
                "azuremail.mail.rate=0",
                "azuremail.mail.smtp.host=localhost",
                "azuremail.mail.smtp.port=" + mails.port(0),
                "azuremail.mail.smtp.starttls=false",
                "azuremail.mail.smtp.connections=4",
                "azuremail.mail-classes.ageing=" + ageing.toSeconds() + "s");
        return WorkerProcess.start("worker-sender", data, settings);
    }

    private static void until(Callable<Boolean> reached) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(reached);
    }
}
