package org.azuremail.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.RequestOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that no page scrolls sideways when names are as long as possible and contain no spaces. Partners and strangers
 * choose some of them.
 */
class LongNamesIT {

    private static final String KEY = "am_0123456789abcdefghijklmnopqr";
    private static final String PASSWORD = "seven wet otters";
    private static final String LIST = "l".repeat(50);
    private static final String SEGMENT = "s".repeat(50);
    private static final String FIELD = "f".repeat(50);
    private static final String EMAIL = "e".repeat(64) + "@" + "d".repeat(60) + "." + "d".repeat(60) + ".org";

    @Test
    void nothingIsWiderThanItsWindow(@TempDir Path data) throws Exception {
        try (RunningService service = RunningService.start(
                        data,
                        "--azuremail.bootstrap.admin-email=ann@example.org",
                        "--azuremail.bootstrap.admin-password=" + PASSWORD,
                        "--azuremail.bootstrap.api-key=" + KEY);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage();
            create(page, service.url() + "/api/v1");
            page.navigate(service.url() + "/sign-in");
            page.locator("#email").fill("ann@example.org");
            page.locator("#password").fill(PASSWORD);
            page.locator("main form button").click();
            for (String path : List.of(
                    "/lists",
                    "/lists/" + LIST,
                    "/lists/" + LIST + "/delete",
                    "/fields?list=" + LIST,
                    "/fields/delete?list=" + LIST + "&field=" + FIELD,
                    "/segments",
                    "/segments/" + LIST + "/" + SEGMENT + "/delete",
                    "/subscribers",
                    "/subscribers?list=" + LIST,
                    "/subscribers/details?list=" + LIST + "&email=" + EMAIL,
                    "/suppressions/release?email=" + EMAIL,
                    "/messages",
                    "/outbox",
                    "/jobs",
                    "/keys",
                    "/keys/new")) {
                page.navigate(service.url() + path);
                for (int width : List.of(Screens.PHONE, Screens.DESK)) {
                    page.setViewportSize(width, 900);
                    assertThat((List<?>) page.evaluate(SiteWalk.TOO_WIDE))
                            .as("what makes %s wider than %s px", path, width)
                            .isEmpty();
                }
            }
        }
    }

    private static void create(Page page, String api) {
        post(
                page,
                api + "/lists",
                Map.of("name", LIST, "fromEmail", EMAIL, "description", "d".repeat(200), "optIn", "single"));
        put(page, api + "/lists/" + LIST + "/fields/" + FIELD, Map.of("label", "L".repeat(100), "type", "text"));
        put(
                page,
                api + "/lists/" + LIST + "/segments/" + SEGMENT,
                Map.of(
                        "description",
                        "S".repeat(200),
                        "rules",
                        Map.of(
                                "all",
                                List.of(Map.of("what", "address", "test", "contains", "value", "x".repeat(100))))));
        post(page, api + "/lists/" + LIST + "/subscriptions", Map.of("email", EMAIL, "name", "N".repeat(200)));
        post(page, api + "/suppressions", Map.of("emails", List.of(EMAIL), "why", "W".repeat(200)));
        post(
                page,
                api + "/messages",
                Map.of("list", LIST, "subject", "S".repeat(900), "html", "<p>x</p>", "draft", true));
        post(page, api + "/keys", Map.of("label", "K".repeat(100), "scope", "subscribe", "lists", List.of(LIST)));
        post(page, api + "/jobs", Map.of("job", "statistics", "list", LIST));
    }

    private static void post(Page page, String address, Map<String, ?> body) {
        assertThat(page.request().post(address, options(body)).status())
                .as(address)
                .isLessThan(300);
    }

    private static void put(Page page, String address, Map<String, ?> body) {
        assertThat(page.request().put(address, options(body)).status())
                .as(address)
                .isLessThan(300);
    }

    private static RequestOptions options(Map<String, ?> body) {
        return RequestOptions.create()
                .setHeader("Authorization", "Bearer " + KEY)
                .setData(body);
    }
}
