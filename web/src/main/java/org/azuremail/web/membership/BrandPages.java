package org.azuremail.web.membership;

import java.time.Duration;
import org.azuremail.list.Brand;
import org.azuremail.list.Logos;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Serves the logos and colours of lists, for emails and for subscribers. A file at an address never changes. */
@Controller
record BrandPages(Logos logos) {

    private static final CacheControl FOR_EVER =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private static final MediaType CSS = new MediaType("text", "css");

    /** Serves a logo. Emails show logos, too, so web mail on another origin may load them. */
    @GetMapping("/logo/{name}")
    ResponseEntity<byte[]> logo(@PathVariable String name) {
        return logos.find(name)
                .map(image -> ResponseEntity.ok()
                        .contentType(name.endsWith(".png") ? MediaType.IMAGE_PNG : MediaType.IMAGE_JPEG)
                        .cacheControl(FOR_EVER)
                        .header("Cross-Origin-Resource-Policy", "cross-origin")
                        .body(image))
                .orElseGet(() -> ResponseEntity.notFound().build());
    }

    @GetMapping("/look/{color:[0-9a-f]{6}}.css")
    ResponseEntity<String> style(@PathVariable String color) {
        Brand brand = Brand.NONE.withColor("#" + color);
        return ResponseEntity.ok()
                .contentType(CSS)
                .cacheControl(FOR_EVER)
                .body(":root{--brand:" + brand.buttonColor() + ";--on-brand:" + brand.textColor() + "}");
    }
}
