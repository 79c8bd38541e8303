package org.azuremail.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.azuremail.image.Pictures;

/**
 * Follows every link of the site, once for each kind of page, and checks what it finds at six widths (320 px is the one
 * that WCAG 2.2 requires), and with axe, in the light on a desk and in the dark on a phone.
 */
final class SiteWalk {

    private static final List<Integer> MORE_WIDTHS = List.of(320, 768, 1000, 1920);
    private static final String PASSWORD = "seven wet otters";
    private static final Pattern NO_PAGE =
            Pattern.compile("/(raw|html|export|refused|sign-out|webjars|css|js|img)(\\W|$)|\\.csv|\\.eml");
    private static final Pattern ID =
            Pattern.compile("\\d+|(?<=/lists/\\w{1,50}/templates/|/outbox/|/imports/|id=)[^/&]+|=[^&]*");

    static final String TOO_WIDE = """
            () => document.documentElement.scrollWidth <= innerWidth ? []
              : [...document.querySelectorAll('main *')]
                  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
                  .map(e => e.outerHTML.slice(0, 150))
                  .concat(document.documentElement.scrollWidth)
            """;

    private SiteWalk() {}

    /** @param texts the name of the file with the texts of the pages */
    static void walk(Path data, String texts) throws Exception {
        try (RunningService service = RunningService.start(
                        data,
                        "--spring.messages.basename=" + texts,
                        "--azuremail.bootstrap.admin-email=ann@example.org",
                        "--azuremail.bootstrap.admin-password=" + PASSWORD);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage(new Browser.NewPageOptions().setReducedMotion(ReducedMotion.REDUCE));
            page.setDefaultTimeout(20_000);
            page.navigate(service.url() + "/sign-in");
            look(page, "/sign-in");
            page.locator("#email").fill("ann@example.org");
            page.locator("#password").fill(PASSWORD);
            page.locator("main form button").click();
            page.navigate(service.url() + "/lists");
            page.locator("form[action='/lists/samples'] button").click();
            upload(page, service.url());
            Set<String> seen = follow(page, service.url());
            assertThat(seen).as("kinds of pages").hasSizeGreaterThan(25);
        }
    }

    static void upload(Page page, String url) {
        page.navigate(url + "/images/new");
        page.locator("#file").setInputFiles(new FilePayload("a.png", "image/png", Pictures.file("png", 300, 200)));
        page.locator("#alt").fill("A square that is red, and blue around it");
        page.locator("main form button").click();
    }

    private static Set<String> follow(Page page, String url) {
        Set<String> kinds = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of("/"));
        while (!open.isEmpty()) {
            String path = open.remove();
            if (NO_PAGE.matcher(path).find() || !kinds.add(ID.matcher(path).replaceAll("#"))) {
                continue;
            }
            Response answer = page.navigate(url + path);
            assertThat(answer.status()).as(path).isIn(200, 304);
            look(page, path);
            links(page).forEach(open::add);
        }
        return kinds;
    }

    private static List<String> links(Page page) {
        Object found = page.evaluate("""
                () => [...document.querySelectorAll('a[href]')]
                  .filter(a => a.origin === location.origin && !a.hasAttribute('download'))
                  .map(a => a.pathname + a.search)
                """);
        return ((List<?>) found).stream().map(Object::toString).distinct().toList();
    }

    private static void look(Page page, String path) {
        for (int width : MORE_WIDTHS) {
            fits(page, width, path);
        }
        String picture = "every" + ID.matcher(path).replaceAll("").replaceAll("\\W+", "-");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            fits(page, scheme == ColorScheme.DARK ? Screens.PHONE : Screens.DESK, path);
            Screens.picture(page, picture + "-" + scheme.name().toLowerCase(Locale.ROOT));
            Screens.accessible(page, path + " in " + scheme);
        }
    }

    /** A reader on a phone may have set the browser to letters of twice the size. */
    static void largeLetters(Page page, String path) {
        page.evaluate("document.documentElement.style.fontSize = '200%'");
        fits(page, Screens.PHONE, path);
        page.evaluate("document.documentElement.style.fontSize = ''");
        page.setViewportSize(Screens.DESK, 900);
    }

    private static void fits(Page page, int width, String path) {
        page.setViewportSize(width, 900);
        assertThat((List<?>) page.evaluate(TOO_WIDE))
                .as("what makes %s wider than a window of %s px", path, width)
                .isEmpty();
    }
}
