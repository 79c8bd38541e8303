package org.azuremail.web.live;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The stream of one open page. It ends when it can no longer be written to. */
record LiveStream(SseEmitter emitter, List<String> names, Duration begun) {

    void sendState(String name, LiveSource.State state) {
        send(SseEmitter.event().name("state").data(name + " " + state.version() + (state.over() ? " over" : "")));
    }

    void sendHeartbeat() {
        send(SseEmitter.event().comment(""));
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
