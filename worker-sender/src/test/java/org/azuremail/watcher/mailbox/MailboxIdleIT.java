package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Checks connections that wait for new messages, and the interval at which other mailboxes are read. */
class MailboxIdleIT extends OnMailbox {

    @Test
    void theServerTellsOfNewMessages() throws Exception {
        begin(server.settings("imap", "tls"), 1, TRUSTING);
        turns.turn(this::take);
        assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(25));
        assertThat(turns.waiting()).isOne();
        assertThat(turns.woken()).isEmpty();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> told(() -> server.deliver(LETTER.formatted("one"))));
        assertThat(turns.woken()).containsOnly(Duration.ofSeconds(5));
        await().atMost(Duration.ofMinutes(1)).until(() -> turns.waiting() == 0);
        int delivered = server.count("INBOX");
        turns.turn(this::take);
        assertThat(taken).hasSize(delivered);
        turns.leave("one");
        assertThat(turns.waiting()).isZero();
        int before = await("whoever was told before is awake")
                .pollDelay(Duration.ofSeconds(2))
                .until(() -> turns.woken().size(), size -> true);
        server.deliver(LETTER.formatted("two"));
        await("nobody is woken who has left")
                .during(Duration.ofSeconds(2))
                .atMost(Duration.ofMinutes(1))
                .until(() -> turns.woken().size() == before);
    }

    /**
     * Returns whether the watcher has been woken, and delivers an email if not. The server does not report an email
     * that arrives between the last command and the wait, so one email may not be enough.
     */
    private boolean told(Runnable delivery) {
        if (turns.woken().isEmpty()) {
            delivery.run();
            return false;
        }
        return true;
    }

    /** A limited number of mailboxes has a connection and a thread. */
    @Test
    void theOthersAreReadAtTheirIntervals() throws Exception {
        begin(server.settings("imap", "none"), 2);
        for (int i = 0; i < 5; i++) {
            turns.turn("mailbox" + i, this::take, () -> false);
            assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(i < 2 ? 25 : 5));
        }
        assertThat(turns.waiting()).isEqualTo(2);
    }

    @Test
    void aConnectionThatBreaksWhileItWaitsIsReadAgainAtTheInterval() throws Exception {
        begin(server.settings("imap", "none"), 1);
        turns.turn(this::take);
        server.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> !turns.woken().isEmpty());
        assertThat(turns.woken()).containsExactly(Duration.ofMinutes(5));
    }
}
