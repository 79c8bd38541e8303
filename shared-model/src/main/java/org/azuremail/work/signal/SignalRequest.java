package org.azuremail.work.signal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON form of a signal: {@code {"to":"…","kind":"WORK","name":"azuremailqueue","seconds":0}}.
 *
 * @param to the id of the instance that it is meant for
 */
record SignalRequest(String to, Signal.Kind kind, String name, long seconds) {

    static final int MAX_BYTES = 1024;

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static byte[] write(String to, Signal signal) {
        SignalRequest request = new SignalRequest(
                to, signal.kind(), signal.name(), signal.lasts().toSeconds());
        return JSON.writeValueAsString(request).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the letter, or nothing if this version cannot read it, for example because a newer version wrote it. */
    static Optional<SignalRequest> read(byte[] body) {
        try {
            return Optional.ofNullable(JSON.readValue(body, SignalRequest.class))
                    .filter(request -> request.to != null && request.kind != null && request.name != null);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    Signal signal() {
        return new Signal(kind, name, Duration.ofSeconds(seconds));
    }
}
