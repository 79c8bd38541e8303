package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.web.process.Program.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each role runs in its own process on one data directory: the web application here, the workers from their jars. The
 * mail server stops answering in the middle of the message, so every stop and kill is in the middle. Each test has its
 * own list and senders; all tests share the other processes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerJarsIT {

    private static final int READERS = 300;
    private static final int BEFORE_SILENCE = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SIGTERM_EXIT = 143;

    private Path data;
    private LocalService web;
    private WorkerProcess scheduler;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        data = Files.createDirectories(directory.resolve("data"));
        web = LocalService.start(data, "azuremail.roles=web");
        scheduler = WorkerProcess.startPacked("worker-scheduler", data, List.of());
    }

    @AfterAll
    void theSchedulerStopsInTime() throws Exception {
        try {
            endsInTime(scheduler.stop());
        } finally {
            scheduler.close();
            web.close();
        }
    }

    @Test
    @Timeout(480)
    void stoppedWorkersEndInTimeAndLoseNothing() throws Exception {
        try (SmtpSink sink = new SmtpSink(BEFORE_SILENCE);
                WorkerProcess sender = sender(sink)) {
            String message = begin("stopped");
            awaitTheMiddle(sink, sender);

            sender.stop();
            sink.goOn();
            endsInTime(sender);
            assertThat(sink.taken()).hasSizeLessThan(READERS);

            Answer done;
            try (WorkerProcess again = sender(sink)) {
                done = web.program().awaitCompletion(message, PATIENCE);
                endsInTime(again.stop());
            }
            assertThat(done.count("sent")).as(done.body()).isEqualTo(READERS);
            assertThat(done.count("unknown")).as(done.body()).isZero();
            assertThat(sink.taken()).containsExactlyInAnyOrderElementsOf(Program.readers(READERS));
        }
    }

    @Test
    @Timeout(480)
    void killedSenderMailsNobodyTwiceAndLosesNobody() throws Exception {
        try (SmtpSink sink = new SmtpSink(BEFORE_SILENCE);
                WorkerProcess sender = sender(sink)) {
            String message = begin("killed");
            awaitTheMiddle(sink, sender);

            sender.kill();
            int takenBefore = sink.taken().size();
            sink.goOn();

            Answer done;
            try (WorkerProcess again = sender(sink)) {
                done = web.program().awaitCompletion(message, PATIENCE);
                assertThat(again.running()).isTrue();
            }
            assertThat(scheduler.running()).isTrue();
            assertThat(sink.taken()).as("what the second sender sent").hasSizeGreaterThan(takenBefore);
            addsUp(web.program(), message, done, sink.taken());
        }
    }

    private static void addsUp(Program program, String message, Answer done, List<String> taken) {
        assertThat(taken).doesNotHaveDuplicates();
        assertThat(done.count("recipients")).isEqualTo(READERS);
        assertThat(done.count("sent") + done.count("unknown")).as(done.body()).isEqualTo(READERS);
        for (String none : List.of("waiting", "failed", "skipped")) {
            assertThat(done.count(none)).as(none).isZero();
        }
        List<String> sent = program.recipients(message, "sent");
        List<String> unknown = program.recipients(message, "unknown");
        System.out.printf("killed: %d sent, %d unknown, %d taken%n", sent.size(), unknown.size(), taken.size());
        assertThat(sent).hasSize((int) done.count("sent"));
        assertThat(unknown).hasSize((int) done.count("unknown"));
        assertThat(taken).as("whoever is Sent has the mail").containsAll(sent);
        Set<String> inDoubt = new HashSet<>(taken);
        inDoubt.removeAll(sent);
        assertThat(unknown).as("whoever has the mail and is not Sent").containsAll(inDoubt);
    }

    private WorkerProcess sender(SmtpSink sink) throws IOException {
        return WorkerProcess.startPacked(
                "worker-sender",
                data,
                List.of(
                        "azuremail.public-url=" + web.url(),
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.rate=0",
                        "azuremail.mail.smtp.host=localhost",
                        "azuremail.mail.smtp.port=" + sink.port(),
                        "azuremail.mail.smtp.starttls=false",
                        "azuremail.mail.smtp.connections=4"));
    }

    private String begin(String list) {
        web.program().makeList(list);
        web.program().importReaders(list, READERS);
        return web.program().send(list);
    }

    private static void awaitTheMiddle(SmtpSink sink, WorkerProcess sender) throws Exception {
        assertThat(sink.awaitSilence(PATIENCE.toSeconds()))
                .as(() -> "mail comes; the sender's log:\n" + log(sender))
                .isTrue();
    }

    private static void endsInTime(WorkerProcess process) throws Exception {
        assertThat(process.awaitEnd(30)).as(() -> log(process)).isIn(0, SIGTERM_EXIT);
    }

    private static String log(WorkerProcess process) {
        try {
            return process.log();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
