package org.azuremail.web.image;

import java.time.Duration;
import org.azuremail.image.Images;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Serves images to anybody who has their address. Web mail on another origin may load them. */
@Controller
record ImageFiles(Images images) {

    private static final CacheControl FOR_EVER =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    @GetMapping("/image/{name}")
    ResponseEntity<byte[]> image(@PathVariable String name) {
        return images.content(name)
                .map(content -> ResponseEntity.ok()
                        .contentType(type(name))
                        .cacheControl(FOR_EVER)
                        .header("Cross-Origin-Resource-Policy", "cross-origin")
                        .body(content))
                .orElseGet(() -> ResponseEntity.notFound().build());
    }

    private static MediaType type(String name) {
        return name.endsWith(".png")
                ? MediaType.IMAGE_PNG
                : name.endsWith(".gif") ? MediaType.IMAGE_GIF : MediaType.IMAGE_JPEG;
    }
}
