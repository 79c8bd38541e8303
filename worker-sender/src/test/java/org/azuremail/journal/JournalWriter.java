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

/** A separate process that keeps a journal until it is killed. */
final class JournalWriter implements AutoCloseable {

    private final Process process;
    private final String lot;

    private JournalWriter(Process process, String lot) {
        this.process = process;
        this.lot = lot;
    }

    /** Starts the process, and returns when it has sent {@code a} and begun {@code b}. */
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

    /** Kills the process with SIGKILL, and returns when it has ended. */
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
        // Reading the other journals must not release the lock on the process's own file.
        journal.acceptedForDeadProcesses();
        journal.markReported();
        System.out.println("lot " + lot);
        new CountDownLatch(1).await();
    }
}
