package org.azuremail.web.webhook;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.azuremail.feedback.FeedbackRecorder;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.feedback.MailHandles;
import org.azuremail.feedback.SendGridEventReader;
import org.azuremail.feedback.SendGridEventReader.EventSignature;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportOpener;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.account.ClientNetwork;
import org.azuremail.web.layout.RetryAfter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * SendGrid's event webhook, which strangers can call, too. A request without a signature, or to a transport that
 * expects none, is refused unread. At most {@value #MAX_CONCURRENT} requests are read at a time, of which at most
 * {@value #PER_NETWORK} come from one network, so that a stranger cannot take SendGrid's places. Nothing is parsed
 * before the signature is verified. SendGrid repeats an event that is not answered with 204, so an event is answered
 * only after it is recorded.
 */
@RestController
class SendGridWebhook {

    /** The most bytes of a request. SendGrid posts at most 768 KB. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final int MAX_CONCURRENT = 32;
    private static final int PER_NETWORK = 4;
    private static final int MAX_HEADER_LENGTH = 200;
    private static final Duration BETWEEN_WARNINGS = Duration.ofHours(1);
    private static final String KEY_SETTING = "event-verification";

    /** Not the mapper of API calls, because a batch has more tokens than any call and may name a field twice. */
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final Logger LOG = LoggerFactory.getLogger(SendGridWebhook.class);

    private final TransportDirectory transports;
    private final TransportOpener settings;
    private final MailHandles handles;
    private final FeedbackRecorder recorder;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
    private final Map<String, Integer> reading = new ConcurrentHashMap<>();
    private final Time time;
    private final AtomicReference<@Nullable Duration> warned = new AtomicReference<>();

    SendGridWebhook(
            TransportDirectory transports,
            TransportOpener settings,
            MailHandles handles,
            FeedbackRecorder recorder,
            Time time) {
        this.transports = transports;
        this.settings = settings;
        this.handles = handles;
        this.recorder = recorder;
        this.time = time;
    }

    @PostMapping("/webhooks/sendgrid/{transport}")
    ResponseEntity<Void> events(
            @PathVariable String transport,
            @RequestHeader(name = "X-Twilio-Email-Event-Webhook-Signature", defaultValue = "") String signature,
            @RequestHeader(name = "X-Twilio-Email-Event-Webhook-Timestamp", defaultValue = "") String timestamp,
            HttpServletRequest request)
            throws IOException {
        boolean signed =
                !signature.isEmpty() && signature.length() <= MAX_HEADER_LENGTH && timestamp.matches("\\d{1,20}");
        Optional<EventSignature> key = signed ? key(transport) : Optional.empty();
        if (key.isEmpty()) {
            return refused(
                    signed
                            ? "no transport of SendGrid with the name at the end of their address has a verification key"
                            : "they have no signature: turn on Signed Event Webhook in SendGrid");
        }
        String network = ClientNetwork.of(request.getRemoteAddr());
        if (!tryAcquire(network)) {
            return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
                    .header(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS)
                    .build();
        }
        try {
            byte[] body = request.getInputStream().readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                return ResponseEntity.status(HttpStatus.CONTENT_TOO_LARGE).build();
            }
            return key.get().verify(timestamp, body, signature)
                    ? ResponseEntity.status(take(body)).build()
                    : refused("the verification key of the transport does not fit their signature: enter it again");
        } finally {
            release(network);
        }
    }

    /**
     * Refuses events, and logs a warning at most once an hour: SendGrid drops an event after a day, so an admin should
     * learn of a mistake, but strangers must not fill the log.
     */
    private ResponseEntity<Void> refused(String why) {
        Duration now = time.elapsed();
        Duration last = warned.get();
        boolean due = last == null || now.minus(last).compareTo(BETWEEN_WARNINGS) >= 0;
        if (due && warned.compareAndSet(last, now)) {
            LOG.warn("Events were refused (403): {}. Perhaps SendGrid did not send them, but a stranger.", why);
        }
        return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
    }

    private boolean tryAcquire(String network) {
        if (!permits.tryAcquire()) {
            return false;
        }
        boolean place = reading.merge(network, 1, Integer::sum) <= PER_NETWORK;
        if (!place) {
            release(network);
        }
        return place;
    }

    private void release(String network) {
        reading.computeIfPresent(network, (one, count) -> count == 1 ? null : count - 1);
        permits.release();
    }

    private Optional<EventSignature> key(String transport) {
        TransportDirectory.Snapshot known = transports.recent();
        return known.find(transport)
                .filter(one -> one.kind().equals("sendgrid"))
                .flatMap(one -> settings.setting(
                        one, Optional.ofNullable(known.added().get(transport)).map(Versioned::value), KEY_SETTING))
                .filter(text -> !text.isBlank())
                .map(EventSignature::new);
    }

    private HttpStatus take(byte[] body) {
        JsonNode posted;
        try {
            posted = JSON.readTree(body);
        } catch (JacksonException broken) {
            LOG.warn("SendGrid posted events that are no JSON.");
            return HttpStatus.BAD_REQUEST;
        }
        List<MailEvent> events = new ArrayList<>();
        for (JsonNode event : posted) {
            SendGridEventReader.read(texts(event), handles).ifPresent(events::add);
        }
        int known = recorder.record(events);
        LOG.debug("{} events of SendGrid, {} of them of emails on record", posted.size(), known);
        return HttpStatus.NO_CONTENT;
    }

    private static Map<String, String> texts(@Nullable JsonNode event) {
        Map<String, String> texts = new HashMap<>();
        if (event != null) {
            event.properties().forEach(field -> {
                if (field.getValue().isValueNode()) {
                    texts.put(field.getKey(), field.getValue().asString());
                }
            });
        }
        return texts;
    }
}
