package org.azuremail.journal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.azuremail.id.IdSource;
import org.azuremail.mail.Answer;
import org.azuremail.time.Time;

/** A process of its own that keeps a journal until it is killed. */
final class JournalWriter implements AutoCloseable {

    private final Process process;
    private final String lot;

    private JournalWriter(Process process, String lot) {
        this.process = process;
        this.lot = lot;
    }

    /** Runs when {@code a} is sent and {@code b} is begun. */
    static JournalWriter start(Path directory, String boot) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        JournalWriter.class.getName(),
                        directory.toString(),
                        boot)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        String line = out.readLine();
        while (line != null && !line.startsWith("lot ")) {
            line = out.readLine();
        }
        if (line == null) {
            throw new AssertionError("the writer ended by itself");
        }
        return new JournalWriter(process, line.substring(4));
    }

    String lot() {
        return lot;
    }

    /** SIGKILL; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) throws InterruptedException {
        FileJournal journal = new FileJournal(Path.of(args[0]), args[1], Time.system(), IdSource.secure());
        String lot = journal.openLot("a child");
        journal.recordBegun(lot, "email:a");
        journal.recordAnswer(lot, "email:a", new Answer.Accepted("250 queued"));
        journal.recordBegun(lot, "email:b");
        // Looks at the others, and must not give up the lock of its own file by that.
        journal.acceptedForDeadProcesses();
        journal.markReported();
        System.out.println("lot " + lot);
        new CountDownLatch(1).await();
    }
}
