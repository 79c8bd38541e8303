package org.azuremail.web.live;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.azuremail.web.account.Secret;
import org.azuremail.web.account.SecretCookie;
import org.azuremail.web.account.Sessions;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Opens the streams that open pages listen to. */
@Controller
record LivePages(LiveStreams streams, LiveProperties limits, Sessions sessions, SecretCookie sessionCookie) {

    /** The most things that one stream watches. A page watches only a few, but an address may name many. */
    private static final int MAX = 20;

    /** @return 204, after which a browser never asks again, if no stream can be opened */
    @GetMapping("/live")
    ResponseEntity<SseEmitter> stream(@RequestParam List<String> watch, HttpServletRequest request) {
        // LiveStreams ends the stream long before this timeout.
        SseEmitter emitter = new SseEmitter(limits.lifetime().multipliedBy(2).toMillis());
        Optional<Secret> session = sessionCookie.read(request);
        if (!streams.open(watch.subList(0, Math.min(MAX, watch.size())), emitter, () -> session.filter(sessions::isLive)
                .isPresent())) {
            return ResponseEntity.noContent().build();
        }
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .cacheControl(CacheControl.noStore())
                .header("X-Accel-Buffering", "no")
                .body(emitter);
    }
}
