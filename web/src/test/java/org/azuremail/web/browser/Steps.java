package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** The steps that several walks share. */
abstract class Steps {

    final Page page;
    final String url;

    Steps(Page page, String url) {
        this.page = page;
        this.url = url;
        page.setDefaultTimeout(20_000);
    }

    final void open(String path, String picture) {
        Assertions.assertThat(page.navigate(url + path).status())
                .as(() -> path + ": " + page.locator("main").innerText())
                .isLessThan(400);
        Screens.look(page, picture);
    }

    final void press(String name) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    final void follow(String name) {
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true))
                .click();
    }

    /** Chooses one of the other actions of the page. */
    final void followInMenu(String name) {
        page.locator(".head .menu > summary").click();
        page.locator(".head .menu-items a")
                .getByText(name, new Locator.GetByTextOptions().setExact(true))
                .click();
    }

    /** @param badge the text that the page shows when sending has ended */
    final void ended(String badge) {
        assertThat(page.locator("#progress .head .badge"))
                .hasText(badge, new LocatorAssertions.HasTextOptions().setTimeout(60_000));
    }

    /** Opens the newest email to an address as soon as it has arrived, and returns a link from its text part. */
    final String linkOfNewestMail(String to, String kind) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            page.navigate(url + "/outbox?to=" + to);
            return page.locator("tbody tr").count() > 0;
        });
        page.locator("tbody a").first().click();
        Matcher link = Pattern.compile("http\\S+" + Pattern.quote(kind) + "\\S+")
                .matcher(page.locator("pre.plain-text").innerText());
        Assertions.assertThat(link.find()).isTrue();
        return link.group();
    }
}
