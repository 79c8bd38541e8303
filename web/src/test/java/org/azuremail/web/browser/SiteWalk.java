package org.azuremail.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Follows every link of the site, once for each kind of page, and looks at what it finds at four widths, each page in the light;
 * and with axe, in light and dark.
 */
final class SiteWalk {

    private static final List<Integer> WIDTHS = List.of(390, 1000, 1280, 1920);
    private static final String PASSWORD = "seven wet otters";
    private static final Pattern NO_PAGE =
            Pattern.compile("/(raw|html|export|refused|sign-out|webjars|css|js|img)(\\W|$)|\\.csv|\\.eml");
    private static final Pattern ID =
            Pattern.compile("\\d+|(?<=/lists/\\w{1,50}/templates/|/outbox/|/imports/|id=)[^/&]+|=[^&]*");

    private static final String TOO_WIDE = """
            () => document.documentElement.scrollWidth <= innerWidth ? []
              : [...document.querySelectorAll('main *')]
                  .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
                  .map(e => e.outerHTML.slice(0, 150))
                  .concat(document.documentElement.scrollWidth)
            """;

    private SiteWalk() {}

    static void walk(Path data, boolean axe, String name, String... settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(settings));
        arguments.add("--azuremail.bootstrap.admin-email=ann@example.org");
        arguments.add("--azuremail.bootstrap.admin-password=" + PASSWORD);
        try (RunningService service = RunningService.start(data, arguments.toArray(String[]::new));
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage(new Browser.NewPageOptions().setReducedMotion(ReducedMotion.REDUCE));
            page.setDefaultTimeout(20_000);
            page.navigate(service.url() + "/sign-in");
            look(page, axe, name, "/sign-in");
            page.locator("#email").fill("ann@example.org");
            page.locator("#password").fill(PASSWORD);
            page.locator("main form button").click();
            page.navigate(service.url() + "/lists");
            page.locator("form[action='/lists/samples'] button").click();
            Set<String> seen = follow(page, service.url(), axe, name);
            assertThat(seen).as("kinds of pages").hasSizeGreaterThan(25);
        }
    }

    private static Set<String> follow(Page page, String url, boolean axe, String name) {
        Set<String> kinds = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of("/"));
        while (!open.isEmpty()) {
            String path = open.remove();
            if (NO_PAGE.matcher(path).find() || !kinds.add(ID.matcher(path).replaceAll("#"))) {
                continue;
            }
            Response answer = page.navigate(url + path);
            assertThat(answer.status()).as(path).isIn(200, 304);
            look(page, axe, name, path);
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

    private static void look(Page page, boolean axe, String name, String path) {
        for (int width : WIDTHS) {
            page.setViewportSize(width, 900);
            assertThat((List<?>) page.evaluate(TOO_WIDE))
                    .as("what makes %s wider than a window of %s px", path, width)
                    .isEmpty();
        }
        String picture = name + ID.matcher(path).replaceAll("").replaceAll("\\W+", "-");
        for (ColorScheme scheme : axe ? List.of(ColorScheme.LIGHT, ColorScheme.DARK) : List.of(ColorScheme.LIGHT)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            page.setViewportSize(scheme == ColorScheme.DARK ? 390 : 1280, 900);
            Screens.picture(page, picture + "-" + scheme.name().toLowerCase(Locale.ROOT));
            if (axe) {
                Screens.accessible(page, path + " in " + scheme);
            }
        }
    }
}
