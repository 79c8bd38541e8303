package org.azuremail.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks a page in a light desktop window and a dark phone window. It must not be wider than either window, and must be
 * accessible (axe-core) in one of them in turn; {@link EveryPageIT} checks every page in both. With {@code
 * -Dazuremail.test.pictures=true}, a picture of each page is kept.
 */
final class Screens {

    private static final Path PICTURES = Path.of("target", "screenshots");
    static final boolean WANTED = Boolean.getBoolean("azuremail.test.pictures");
    private static final String AXE = axe();
    static final int DESK = 1280;
    static final int PHONE = 390;
    private static final AtomicInteger LOOKS = new AtomicInteger();

    private Screens() {}

    static void look(Page page, String name) {
        // A page without its style sheet has no contrast and no width.
        page.waitForLoadState();
        boolean onDesk = LOOKS.getAndIncrement() % 2 == 0;
        assertThat(page.title()).as(name).doesNotContain("Something went wrong");
        page.emulateMedia(
                new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK).setReducedMotion(ReducedMotion.REDUCE));
        page.setViewportSize(PHONE, 844);
        picture(page, name + "-phone-dark");
        if (!onDesk) {
            accessible(page, name + " on a phone in the dark");
        }
        fits(page, PHONE, name + " on a phone");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        picture(page, name + "-phone");
        page.setViewportSize(DESK, 900);
        picture(page, name + "-desktop");
        if (onDesk) {
            accessible(page, name + " on a desk");
        }
        fits(page, DESK, name + " on a desk");
    }

    /** Checks that a page does not scroll sideways, and names the elements that are too wide otherwise. */
    private static void fits(Page page, int width, String where) {
        assertThat((String) page.evaluate("""
                        width => document.documentElement.scrollWidth <= width ? '' : [...document.body.querySelectorAll('*')]
                            .filter(one => one.getBoundingClientRect().right > width)
                            .map(one => one.cloneNode().outerHTML.slice(0, 150) + Math.round(one.getBoundingClientRect().right))
                            .join('\\n') || String(document.documentElement.scrollWidth)
                        """, width)).as(where + ": too wide").isEmpty();
    }

    static void picture(Page page, String name) {
        if (WANTED) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(PICTURES.resolve(name + ".png"))
                    .setFullPage(true));
        }
    }

    /**
     * Skips frames, because they show emails that others wrote. No script runs in them, so axe would wait for them
     * forever.
     */
    static void accessible(Page page, String where) {
        bringAxe(page);
        Object violations = page.evaluate("""
                async () => {
                  const found = await axe.run(document, {
                    iframes: false,
                    resultTypes: ['violations'],
                    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
                  });
                  return found.violations.flatMap(rule => rule.nodes.map(
                    node => rule.id + ': ' + node.html + '\\n  ' + node.failureSummary));
                }
                """);
        assertThat((List<?>) violations).as("accessibility of %s", where).isEmpty();
    }

    /** Checks that every text has enough contrast with its background. */
    static void contrast(Page page, String where) {
        bringAxe(page);
        Object violations = page.evaluate("""
                async () => {
                  const found = await axe.run(document, {
                    runOnly: {type: 'rule', values: ['color-contrast']},
                    resultTypes: ['violations'],
                  });
                  return found.violations.flatMap(rule => rule.nodes.map(node => node.html + '\\n  ' + node.failureSummary));
                }
                """);
        assertThat((List<?>) violations).as("contrast of %s", where).isEmpty();
    }

    /** Loads the script only once for each page, because it is half a megabyte in size. */
    private static void bringAxe(Page page) {
        if (page.evaluate("window.axe === undefined").equals(true)) {
            page.evaluate(AXE);
        }
    }

    private static String axe() {
        try (InputStream script = Screens.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
