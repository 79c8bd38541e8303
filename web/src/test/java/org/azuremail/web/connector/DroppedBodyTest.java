package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Checks that bodies which no code reads are dropped, and that the connection ends if they are too large. */
class DroppedBodyTest extends OnTwoThreads {

    @Test
    void declaredLengthBeyondTheLimitIsNotWaitedFor() throws IOException {
        Caller caller = call().send(POST + "Content-Length: 70000\r\n\r\nabc");

        assertThat(caller.answer()).startsWith("HTTP/1.1 400");
    }

    @Test
    void clientThatSendsFirstAndListensAfterwardsSeesTheAnswer() throws IOException {
        Caller caller = call().send(POST + "Content-Length: 9000000\r\n\r\n").send(new byte[9_000_000]);

        assertThat(caller.answer()).startsWith("HTTP/1.1 400");
    }

    @Test
    void smallBodyThatNobodyReadsKeepsItsConnectionHoweverManyAreDropped() throws IOException {
        for (int i = 0; i < 2 * BodyDrain.MAX_CONCURRENT; i++) {
            assertThat(call().send(WRONG_KEY + "Content-Length: 900000\r\n\r\nabc")
                            .answer())
                    .startsWith("HTTP/1.1 401");
        }

        Caller caller = call();
        for (int i = 0; i < 3; i++) {
            assertThat(caller.send(WRONG_KEY + "Content-Length: 5\r\n\r\nabcde").answer())
                    .startsWith("HTTP/1.1 401")
                    .doesNotContain("Connection:");
            assertThat(caller.send(WRONG_KEY + "Content-Length: 5\r\n\r\nabc")
                            .send("de")
                            .answer())
                    .startsWith("HTTP/1.1 401")
                    .doesNotContain("Connection:");
        }
        assertThat(caller.send(POST + "Content-Length: 1\r\n\r\na").answer()).endsWith("1 AT_ONCE");
    }

    @Test
    void answerToALargeBodyThatNobodyReadsSaysThatTheConnectionEnds() throws IOException {
        assertThat(call().send(WRONG_KEY + "Content-Length: 70000\r\n\r\nabc").answer())
                .startsWith("HTTP/1.1 401")
                .contains("Connection: close");
        Caller chunks = call().send(WRONG_KEY + "Transfer-Encoding: chunked\r\n\r\n")
                .chunk(70_000)
                .send("0\r\n\r\n");
        assertThat(chunks.answer()).startsWith("HTTP/1.1 401").contains("Connection: close");
        assertThat(chunks.isClosedWithinMillis(20_000)).isTrue();
    }

    @Test
    void bodyWithoutEndIsDroppedForAWhileAndThenCutOff() throws IOException {
        Caller caller = call().send(CHUNKED);
        boolean cut = false;
        for (int sent = 0; !cut && sent < 200; sent++) {
            try {
                caller.chunk(1 << 20);
            } catch (IOException reset) {
                cut = true;
            }
        }

        assertThat(cut).isTrue();
        assertThat(call().send(POST + "Content-Length: 1\r\n\r\na").answer()).endsWith("1 AT_ONCE");
    }

    @Test
    void connectionEndsForAClientThatSendsOnBeforeThePollerLooksAgain() throws IOException {
        for (int i = 0; i < 5; i++) {
            Caller caller = call().send("POST /count HTTP/1.0\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
            caller.answer();

            await().until(() -> isReset(caller));
        }
    }

    private static boolean isReset(Caller caller) {
        try {
            caller.send(" ");
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
