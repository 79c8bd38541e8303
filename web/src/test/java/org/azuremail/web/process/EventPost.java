package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** Posts signed events as SendGrid does: some hundred at a time, repeatedly until they are accepted. */
final class EventPost implements AutoCloseable {

    private static final int AT_A_TIME = 400;

    private final KeyPair keys;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<String> waiting = new ConcurrentLinkedQueue<>();
    private final List<String> all = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile URI address = URI.create("http://localhost/");
    private volatile boolean posting;

    EventPost() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        keys = generator.generateKeyPair();
    }

    String verificationKey() {
        return Base64.getEncoder().encodeToString(keys.getPublic().getEncoded());
    }

    void begin(String url) {
        address = URI.create(url + "/webhooks/sendgrid/sendgrid");
        Thread thread = new Thread(this::post, "events");
        thread.setDaemon(true);
        thread.start();
    }

    /** Posts the event of an accepted email at once. */
    void accepted(String handle) {
        String event = "{\"event\": \"processed\", \"timestamp\": 1795435201, \"azuremail\": \"" + handle + "\"}";
        all.add(event);
        waiting.add(event);
    }

    /** Posts all events again, in another order. */
    void replay(Random random) {
        List<String> again = new ArrayList<>(all);
        Collections.shuffle(again, random);
        waiting.addAll(again);
    }

    void awaitAllAccepted() {
        Awaitility.await("events").atMost(Duration.ofMinutes(2)).until(() -> waiting.isEmpty() && !posting);
    }

    int refused() {
        return refused.get();
    }

    private void post() {
        try {
            while (!closed.await(50, TimeUnit.MILLISECONDS)) {
                posting = true;
                List<String> some = new ArrayList<>();
                for (String one = waiting.poll(); one != null; one = some.size() < AT_A_TIME ? waiting.poll() : null) {
                    some.add(one);
                }
                if (!some.isEmpty() && !accepts(some)) {
                    refused.incrementAndGet();
                    waiting.addAll(some);
                    closed.await(300, TimeUnit.MILLISECONDS);
                }
                posting = false;
            }
        } catch (InterruptedException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private boolean accepts(List<String> events) throws GeneralSecurityException, InterruptedException {
        byte[] body = events.stream().collect(Collectors.joining(",", "[", "]")).getBytes(StandardCharsets.UTF_8);
        assertThat(body.length).isLessThan(768 * 1024);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update("1795435200".getBytes(StandardCharsets.UTF_8));
        signature.update(body);
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .header("X-Twilio-Email-Event-Webhook-Timestamp", "1795435200")
                .header(
                        "X-Twilio-Email-Event-Webhook-Signature",
                        Base64.getEncoder().encodeToString(signature.sign()))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 204;
        } catch (IOException killed) {
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
