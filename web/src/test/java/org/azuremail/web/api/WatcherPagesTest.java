package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the pages that list watchers and change their states. */
class WatcherPagesTest extends OnWatchers {

    @Test
    void aWatcherIsShownConfiguredRestartedStoppedAndWithdrawn() throws Exception {
        aManager();
        stored("blog", "Processing", true);
        assertThat(browser.open("/watchers").text()).contains("blog", "Feed", "watched", "Failed", "3 new entries");
        browser.open("/watchers/blog").submit("/watchers/blog/restart", Map.of());
        assertThat(browser.text()).contains("The watcher blog is restarted.", "Running");
        browser.submit("/watchers/blog", Map.of("what", "daily", "title", ""));
        assertThat(browser.errorAt("title")).contains("A digest needs a title");
        browser.submit("/watchers/blog", Map.of("title", "Today"));
        assertThat(browser.text()).contains("The settings of blog are saved");
        assertThat(watchers.find("blog").orElseThrow().settings())
                .containsEntry("what", "daily")
                .containsEntry("title", "Today")
                .doesNotContainKeys("kind", "name", "etag", "_keep", "_csrf");
        browser.open("/watchers/blog/stop").submit("/watchers/blog/stop", Map.of());
        assertThat(browser.text())
                .contains("The watcher blog is being stopped.", "Stopping", "You can then create it again")
                .doesNotContain("This watcher is deleted");
        stored("blog", "Deleted", true);
        assertThat(browser.open("/watchers/blog").page().select("main .badge").text())
                .isEqualTo("Deleted");
        stored("early", "Created", false);
        browser.open("/watchers/early").submit("/watchers/early/withdraw", Map.of());
        assertThat(browser.text()).contains("The watcher early is withdrawn.");
        assertThat(browser.open("/watchers/nobody").status()).isEqualTo(404);
    }

    @Test
    void aDeletedTemplateStaysChosenAndIsNamed() throws Exception {
        aManager();
        stored("designed", "Processing", false);
        browser.open("/watchers/designed").submit("/watchers/designed", Map.of("template", "our-own"));
        assertThat(browser.open("/watchers/designed").text()).contains("our-own (deleted, or of another list)");
        browser.submit("/watchers/designed", Map.of("title", "Today"));
        assertThat(watchers.find("designed").orElseThrow().settings())
                .containsEntry("title", "Today")
                .containsEntry("template", "our-own");
    }

    @Test
    void aHundredWatchersAreOnAPage() throws Exception {
        for (int i = 100; i < 202; i++) {
            stored("page" + i, "Processing", false);
        }
        assertThat(browser.open("/watchers?after=page").text())
                .contains("page199", "Next page")
                .doesNotContain("page200");
        assertThat(browser.open("/watchers?q=page&sort=name&dir=desc").text())
                .as("a page of many is not sorted")
                .contains("page100", "page199")
                .doesNotContain("page200");
        assertThat(browser.page().select("thead a")).isEmpty();
        assertThat(browser.open("/watchers?after=page199").text())
                .contains("page201")
                .doesNotContain("Next page");
    }

    @Test
    void watchersAreSortedAlsoWhenTheTableIsLoadedAgain() throws Exception {
        stored("order-a", "Processing", false);
        stored("order-b", "Processing", false);
        String address = "?q=order-&sort=name&dir=desc";

        browser.open("/watchers" + address);

        assertThat(browser.page().select("tbody th").eachText()).containsExactly("order-b", "order-a");
        assertThat(browser.page().select("th[aria-sort=descending] a").attr("href"))
                .isEqualTo("?q=order-&sort=name");
        String again = browser.page().select("#now").attr("hx-get");
        assertThat(browser.open(again).page().select("tr th[scope=row]").eachText())
                .containsExactly("order-b", "order-a");
        assertThat(browser.page().select("th[aria-sort=descending]")).hasSize(1);
    }

    @Test
    void watchersAreFoundByStateAndText() throws Exception {
        stored("found-runs", "Processing", false);
        stored("found-waits", "Created", false);
        stored("found-fails", "Processing", true);
        stored("found-gone", "Deleted", false);
        assertThat(browser.open("/watchers?q=found-").text())
                .contains("found-runs", "found-waits", "found-fails")
                .containsPattern("Failed \\([1-9]")
                .doesNotContain("found-gone");
        for (String[] one : new String[][] {
            {"running", "found-runs"}, {"waiting", "found-waits"}, {"failed", "found-fails"}, {"deleted", "found-gone"}
        }) {
            browser.open("/watchers?q=FOUND&tab=" + one[0]);
            assertThat(browser.page().select("tbody th").eachText()).as(one[0]).containsExactly(one[1]);
            browser.open("/watchers-now?q=found&tab=" + one[0]);
            assertThat(browser.page().select("tbody th")).hasSize(1);
        }
        assertThat(browser.open("/watchers?q=watched").text()).contains("found-runs");
        assertThat(browser.open("/watchers?q=nothing-like-it").text()).contains("No watchers match");
        assertThat(browser.open("/watchers/found-gone").text())
                .contains("Create again")
                .doesNotContain("Save watcher");
        browser.submit("/watchers/found-gone/again", Map.of());
        assertThat(browser.text()).as("no manager lives here").contains("have just started");
    }

    @Test
    void aFailedWatcherNeedsAttention() throws Exception {
        stored("attended", "Processing", true);
        assertThat(browser.open("/").text()).contains("The watcher attended has failed", "3 new entries");
    }
}
