package org.azuremail.web.process;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three senders, two schedulers and a web application as processes on Azurite, and a mail provider that takes 50 ms an answer: the
 * same ones for all tests of a class, of which each leaves all processes running.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnAzurite {

    static final int PEOPLE = 2_000;

    AzureProcesses processes;
    MailCount mails;
    Mailings mailings;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        processes = AzureProcesses.start(directory);
        mails = processes.mails();
        mailings = new Mailings(processes.program(), mails);
    }

    @AfterAll
    void stop() {
        if (processes != null) {
            processes.close();
        }
    }
}
