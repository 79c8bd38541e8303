package org.azuremail.web.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.feedback.FeedbackRecorder;
import org.azuremail.feedback.MailHandles;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportOpener;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MockMvc;

/** Checks the events that SendGrid posts about emails, and the posts of strangers. */
@PageTest
@ExtendWith(OutputCaptureExtension.class)
class SendGridWebhookTest {

    private static final KeyPair KEYS = keys();
    private static final String TIMESTAMP = "1795435200";

    @Autowired
    MockMvc mvc;

    @Autowired
    EndedMessage ended;

    @Autowired
    Messages messages;

    @Autowired
    TestBrowser browser;

    @Autowired
    MessageControl control;

    @Autowired
    MailHandles handles;

    @Autowired
    Suppressions suppressions;

    @Autowired
    TransportDirectory transports;

    @Autowired
    SendGridWebhook webhook;

    @Autowired
    TransportOpener settings;

    @Autowired
    FeedbackRecorder recorder;

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void transport() {
        String key = Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());
        transports.save(
                new StoredTransport(
                        "signed",
                        "sendgrid",
                        Map.of("event-verification", key),
                        Map.of(),
                        WhenFull.WAIT,
                        Instant.EPOCH,
                        ""),
                null);
        transports.save(
                new StoredTransport("unsigned", "sendgrid", Map.of(), Map.of(), WhenFull.WAIT, Instant.EPOCH, ""),
                null);
    }

    private static String sign(String timestamp, byte[] body) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(KEYS.getPrivate());
        signature.update(timestamp.getBytes(StandardCharsets.UTF_8));
        signature.update(body);
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    private int posted(String transport, String timestamp, String signature, byte[] body) throws Exception {
        return mvc.perform(post("/webhooks/sendgrid/" + transport)
                        .contentType("application/json")
                        .header("X-Twilio-Email-Event-Webhook-Signature", signature)
                        .header("X-Twilio-Email-Event-Webhook-Timestamp", timestamp)
                        .content(body))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private int posted(String json) throws Exception {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return posted("signed", TIMESTAMP, sign(TIMESTAMP, body), body);
    }

    private String event(Message message, String address, String fields) {
        String handle = handles.writer(new RangeKey(new ShardKey(message.ref(), 0), 1))
                .write(0, Recipient.rowKey(new EmailAddress(address)));
        return "{\"email\": \"%s\", \"timestamp\": 1795435201, \"azuremail\": \"%s\", \"sg_message_id\": \"x.1\", %s}"
                .formatted(address, handle, fields);
    }

    @Test
    void signedEventsChangeOutcomesAndReplaysChangeNothing() throws Exception {
        Message message = ended.completed(
                "webhook",
                Map.of(
                        "a@x.test",
                        Outcome.UNKNOWN,
                        "b@x.test",
                        Outcome.SENT,
                        "c@x.test",
                        Outcome.SENT,
                        "d@x.test",
                        Outcome.UNKNOWN));
        String events = "["
                + event(message, "a@x.test", "\"event\": \"delivered\", \"response\": \"250 OK\"") + ","
                + event(
                        message,
                        "b@x.test",
                        "\"event\": \"bounce\", \"type\": \"bounce\", \"status\": \"5.1.1\", \"reason\": \"550 5.1.1 no such user\"")
                + ","
                + event(message, "c@x.test", "\"event\": \"spamreport\"") + ","
                + event(message, "d@x.test", "\"event\": \"deferred\", \"response\": \"450 later\"") + ","
                + "{\"event\": \"delivered\", \"azuremail\": \"forged\", \"timestamp\": 1795435201}, 7, null, [], {\"azuremail\": {}}]";
        for (int time = 0; time < 2; time++) {
            assertThat(posted(events)).isEqualTo(204);
            assertThat(control.progress(messages.find(message.ref()).orElseThrow())
                            .counts())
                    .isEqualTo(new OutcomeCounts(3, 0, 0, 1, 1, 1));
        }
        assertThat(suppressions.findReason(new EmailAddress("b@x.test"))).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(suppressions.findReason(new EmailAddress("c@x.test")))
                .contains(SuppressionReason.SUPPRESSED_COMPLAINT);
        thePagesShowBouncesAndComplaints("/messages/" + message.ref());
    }

    private void thePagesShowBouncesAndComplaints(String page) throws Exception {
        assertThat(browser.signIn().open(page).text()).contains("1 email bounced", "1 complaint");
        assertThat(browser.open(page + "/recipients").text()).contains("Bounced 1", "Complained 1");
        browser.open(page + "/recipients?outcome=bounced");
        assertThat(browser.page().select("tbody tr")).singleElement().satisfies(row -> assertThat(row.text())
                .contains("b@x.test", "Bounced", "Bounced for good: 550 5.1.1 no such user"));
        assertThat(browser.open(page + "/recipients?outcome=complained").text()).contains("c@x.test");
        assertThat(browser.open(page + "/recipients?email=b@x.test").text())
                .contains("Sent: the provider accepted the email. Bounced for good: 550 5.1.1 no such user");
        assertThat(browser.open("/suppressions?q=b@x.test").text()).contains("An email to it bounced.");
    }

    /** SendGrid posts up to 768 KB, which is thousands of events, during large sendings. */
    @Test
    void aWholeBatchOf768KbIsTaken() throws Exception {
        Message message = ended.completed("large_batch", Map.of("a@x.test", Outcome.SENT, "b@x.test", Outcome.UNKNOWN));
        String stranger =
                "{\"email\": \"c@x.test\", \"event\": \"processed\", \"timestamp\": 1795435201, \"a\": 1, \"b\": [],"
                        + " \"category\": [\"x\"], \"sg_event_id\": \"1\", \"sg_message_id\": \"x.2\", \"smtp-id\": \"<1>\"},\n";
        String last = event(message, "a@x.test", "\"event\": \"bounce\", \"type\": \"bounce\", \"status\": \"5.1.1\"")
                + "," + event(message, "b@x.test", "\"event\": \"open\", \"event\": \"delivered\"");
        String events = "[" + stranger.repeat((768 * 1024 - last.length() - 2) / stranger.length()) + last + "]";
        assertThat(posted(events)).isEqualTo(204);
        assertThat(control.progress(messages.find(message.ref()).orElseThrow()).counts())
                .isEqualTo(new OutcomeCounts(2, 0, 0, 0, 1, 0));
    }

    @Test
    void strangersAreRefused() throws Exception {
        byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
        String good = sign(TIMESTAMP, body);
        assertThat(posted("signed", TIMESTAMP, good, body)).isEqualTo(204);
        assertThat(posted("signed", TIMESTAMP, good, "[ ]".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(403);
        assertThat(posted("signed", "1795435201", good, body)).isEqualTo(403);
        assertThat(posted("signed", "now", good, body)).isEqualTo(403);
        assertThat(posted("signed", TIMESTAMP, "", body)).isEqualTo(403);
        assertThat(posted("signed", TIMESTAMP, "AAAA", body)).isEqualTo(403);
        assertThat(posted("signed", TIMESTAMP, "%%%", body)).isEqualTo(403);
        assertThat(posted("signed", TIMESTAMP, "A".repeat(5000), body)).isEqualTo(403);
        assertThat(posted("unsigned", TIMESTAMP, good, body)).isEqualTo(403);
        assertThat(posted("nobody", TIMESTAMP, good, body)).isEqualTo(403);
        assertThat(mvc.perform(get("/webhooks/sendgrid/signed"))
                        .andReturn()
                        .getResponse()
                        .getStatus())
                .isEqualTo(405);
    }

    /** Returns a request whose body arrives only when the test allows it. */
    private static MockHttpServletRequest request(
            String address, byte[] body, CountDownLatch begun, CountDownLatch come) {
        MockHttpServletRequest request = new MockHttpServletRequest() {
            @Override
            public ServletInputStream getInputStream() {
                begun.countDown();
                try {
                    come.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return super.getInputStream();
            }
        };
        request.setContent(body);
        request.setRemoteAddr(address);
        return request;
    }

    @Test
    void aStrangerWhoIsSlowDoesNotKeepSendGridOut() throws Exception {
        byte[] body = "[]".getBytes(StandardCharsets.UTF_8);
        CountDownLatch begun = new CountDownLatch(4);
        CountDownLatch come = new CountDownLatch(1);
        CountDownLatch now = new CountDownLatch(0);
        ExecutorService strangers = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int stranger = 0; stranger < 4; stranger++) {
                answers.add(strangers.submit(
                        () -> webhook.events("signed", "AAAA", TIMESTAMP, request("203.0.113.9", body, begun, come))
                                .getStatusCode()
                                .value()));
            }
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(webhook.events("signed", "AAAA", TIMESTAMP, request("203.0.113.9", body, now, now))
                            .getStatusCode()
                            .value())
                    .isEqualTo(429);
            assertThat(webhook.events(
                                    "signed", sign(TIMESTAMP, body), TIMESTAMP, request("203.0.113.10", body, now, now))
                            .getStatusCode()
                            .value())
                    .isEqualTo(204);
            come.countDown();
            for (Future<Integer> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo(403);
            }
            assertThat(posted("[]")).isEqualTo(204);
        } finally {
            strangers.shutdownNow();
        }
    }

    @Test
    void oddBodiesEndInAnAnswer() throws Exception {
        assertThat(posted("")).isIn(204, 400);
        assertThat(posted("{")).isEqualTo(400);
        assertThat(posted("[".repeat(100_000))).isEqualTo(400);
        assertThat(posted("{\"event\": \"bounce\"}")).isEqualTo(204);
        assertThat(posted("[" + " ".repeat(SendGridWebhook.MAX_BYTES) + "]")).isEqualTo(413);
    }

    @Test
    void refusedEventsAreAWarningOnceAnHour(CapturedOutput output) throws Exception {
        ManualTime time = new ManualTime();
        SendGridWebhook refusing = new SendGridWebhook(transports, settings, handles, recorder, time);

        refuse(refusing, "signed", "");
        refuse(refusing, "signed", "");
        assertThat(output.getAll().lines().filter(line -> line.contains("Events were refused")))
                .singleElement()
                .asString()
                .contains("turn on Signed Event Webhook");
        time.advance(Duration.ofHours(1));
        refuse(refusing, "signed", "AAAA");
        assertThat(output).contains("the verification key of the transport does not fit their signature");
        time.advance(Duration.ofHours(1));
        refuse(refusing, "unsigned", "AAAA");
        assertThat(output).contains("no transport of SendGrid with the name");
    }

    private static void refuse(SendGridWebhook to, String transport, String signature) throws IOException {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setContent("[]".getBytes(StandardCharsets.UTF_8));
        assertThat(to.events(transport, signature, TIMESTAMP, request).getStatusCode())
                .isEqualTo(HttpStatus.FORBIDDEN);
    }
}
