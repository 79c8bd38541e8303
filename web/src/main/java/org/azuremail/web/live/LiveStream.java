package org.azuremail.web.live;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.azuremail.storage.StorageException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The stream of one open page. It ends when it can no longer be written to. */
record LiveStream(SseEmitter emitter, List<String> names, Duration begun, BooleanSupplier signedIn) {

    void sendState(String name, LiveSource.State state) {
        send(SseEmitter.event().name("state").data(name + " " + state.version() + (state.over() ? " over" : "")));
    }

    void sendHeartbeat() {
        send(SseEmitter.event().comment(""));
    }

    /** Returns whether the session has not ended. A storage that cannot be read has ended nobody's. */
    boolean allowed() {
        try {
            return signedIn.getAsBoolean();
        } catch (StorageException away) {
            return true;
        }
    }

    void end() {
        emitter.complete();
    }

    private void send(SseEmitter.SseEventBuilder event) {
        try {
            emitter.send(event);
        } catch (IOException | IllegalStateException gone) {
            emitter.complete();
        }
    }
}
