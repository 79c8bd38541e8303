package org.azuremail.web.live;

import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Opens the streams that open pages listen to. */
@Controller
record LivePages(LiveStreams streams, LiveProperties limits) {

    /** The most things that one stream watches. A page watches only a few, but an address may name many. */
    private static final int MAX = 20;

    /** @return 204, after which a browser never asks again, if no stream can be opened */
    @GetMapping("/live")
    ResponseEntity<SseEmitter> stream(@RequestParam List<String> watch) {
        // LiveStreams ends the stream long before this timeout.
        SseEmitter emitter = new SseEmitter(limits.lifetime().multipliedBy(2).toMillis());
        if (!streams.open(watch.subList(0, Math.min(MAX, watch.size())), emitter)) {
            return ResponseEntity.noContent().build();
        }
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .cacheControl(CacheControl.noStore())
                .header("X-Accel-Buffering", "no")
                .body(emitter);
    }
}
