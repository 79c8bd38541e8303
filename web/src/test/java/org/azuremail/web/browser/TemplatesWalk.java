package org.azuremail.web.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;

/** Looks at emails in the shipped templates. */
final class TemplatesWalk {

    private TemplatesWalk() {}

    /** Checks widths and contrasts in bright and dark emails, and emails without images. */
    static void fit(Page page, String url) {
        for (MessageTemplate template : Gallery.shipped()) {
            show(page, url, template);
            for (int width : new int[] {320, 600, 1200}) {
                page.setViewportSize(width, 800);
                Assertions.assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                        .as("width of %s at %d", template.name(), width)
                        .isLessThanOrEqualTo(width);
            }
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
                Screens.contrast(page, template.name() + " in " + scheme);
            }
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        }
        withoutImages(page, url);
    }

    private static void show(Page page, String url, MessageTemplate template) {
        String html = page.request()
                .get(url + "/templates/" + template.name() + "/preview.html")
                .text();
        page.navigate("about:blank");
        page.setContent(html);
    }

    /** Many mail programs load no images. They show the alt texts, which must not make an email wider. */
    private static void withoutImages(Page page, String url) {
        page.route("**/*", route -> {
            if (route.request().resourceType().equals("image")) {
                route.abort();
            } else {
                route.resume();
            }
        });
        for (MessageTemplate template : Gallery.shipped()) {
            show(page, url, template);
            page.setViewportSize(320, 800);
            Assertions.assertThat(
                            (List<?>)
                                    page.evaluate(
                                            "[...document.images].filter(image => !image.hasAttribute('alt')).map(image => image.outerHTML)"))
                    .as("images of %s without a text", template.name())
                    .isEmpty();
            Assertions.assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                    .as("width of %s without images", template.name())
                    .isLessThanOrEqualTo(320);
        }
        page.unroute("**/*");
    }
}
