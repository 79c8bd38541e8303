package org.azuremail.web.suppression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.suppression.Suppression;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A72 on the pages: checks that suppressed addresses are found, added, released and exported. */
@PageTest
class SuppressionPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    Suppressions suppressions;

    private static EmailAddress address(String text) {
        return new EmailAddress(text);
    }

    @Test
    void oneAddressIsSuppressedByAnAdminAndReleasedWithAReason() throws Exception {
        browser.signIn().open("/suppressions/new");
        browser.submit("/suppressions/new", Map.of("emails", "Zed@page.test", "why", "He called us."));
        assertThat(browser.text()).contains("1 address is suppressed.");
        browser.open("/suppressions?q=zed@page");
        assertThat(browser.text())
                .contains("Zed@page.test", "An admin suppressed it.", "By ann@example.org: He called us.");

        browser.open("/suppressions/release?email=zed@page.test");
        assertThat(browser.text()).contains("Release Zed@page.test");
        browser.submit("/suppressions/release", Map.of("why", "He called again."));

        assertThat(browser.text()).contains("The service sends emails to Zed@page.test again.");
        Suppression released = suppressions.find(address("zed@page.test")).orElseThrow();
        assertThat(released.active()).isFalse();
        assertThat(released.release()).extracting("by", "why").containsExactly("ann@example.org", "He called again.");
        assertThat(browser.open("/suppressions?q=zed@page").text()).contains("No suppressed address begins like this.");
        assertThat(browser.open("/suppressions?q=zed@page&everything=true").text())
                .contains("Released by ann@example.org. He called again.");
        assertThat(browser.open("/suppressions/release?email=zed@page.test").status())
                .isEqualTo(404);
    }

    @Test
    void allOfAListAreSuppressedOrNone() throws Exception {
        browser.signIn().open("/suppressions/new");
        browser.submit(
                "/suppressions/new", Map.of("emails", "m1@page.test\nno address\n<b>@\n\nm2@page.test", "why", ""));
        assertThat(browser.text())
                .contains("Line 2 is not an email address: no address", "Line 3 is not an email address: <b>@");
        assertThat(browser.page().select("textarea").text()).contains("m1@page.test");
        assertThat(suppressions.find(address("m1@page.test"))).isEmpty();

        String many =
                IntStream.range(0, 120).mapToObj("m%03d@page.test"::formatted).collect(Collectors.joining("\r\n"));
        browser.submit("/suppressions/new", Map.of("emails", many + "\r\nM000@page.test", "why", ""));
        assertThat(browser.text()).contains("120 addresses are suppressed.");
        assertThat(suppressions.findReason(address("m119@page.test"))).contains(SuppressionReason.SUPPRESSED_IMPORTED);
        browser.open("/suppressions?q=m1");
        assertThat(browser.page().select("tbody tr")).hasSize(20);
        browser.open("/suppressions");
        assertThat(browser.page().select("nav.pager a")).isNotEmpty();

        browser.submit("/sign-out", Map.of());
        assertThat(browser.open("/suppressions.csv").address()).startsWith("/sign-in");
    }

    @Test
    void nothingAndTooMuchAreRefusedAtTheirFields() throws Exception {
        browser.signIn().open("/suppressions/new");
        browser.submit("/suppressions/new", Map.of("emails", " \n ", "why", "x".repeat(501)));
        assertThat(browser.text())
                .contains("Enter at least one email address.", "The reason has at most 500 characters.");
        browser.submit("/suppressions/new", Map.of("emails", "a@b.test", "why", "a\u0007b"));
        assertThat(browser.errorAt("why")).contains("Reason must be one line of at most 500 characters.");
        browser.submit("/suppressions/new", Map.of("emails", "a@b.test\n".repeat(10_001), "why", ""));
        assertThat(browser.text()).contains("Enter at most 10,000 addresses at a time.");
    }
}
