package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ForcedColors;
import com.microsoft.playwright.options.Media;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Checks that a message written in a browser is saved and previewed while its author types, and survives the end of the
 * session.
 */
@ExtendWith(OutputCaptureExtension.class)
class ComposerWalkIT {

    private static final String PASSWORD = "seven wet otters";

    static final Pattern EDITED = Pattern.compile(".*/messages/\\d+/edit");

    @Test
    void anAuthorSeesAndSavesWhileTypingAndLosesNothing(@TempDir Path data, CapturedOutput output) throws Exception {
        try (RunningService service = RunningService.start(data);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newContext().newPage();
            page.setDefaultTimeout(20_000);
            begin(page, service, output);
            content(page, service.url());
            sessionEnds(page, service.url());
            conflict(page, service.url());
            recipientsAndReview(page);
            TemplatesWalk.fit(page, service.url());
        }
    }

    private static void content(Page page, String url) {
        SiteWalk.upload(page, url);
        page.navigate(url + "/messages/new");
        Screens.look(page, "composer-new");
        page.getByLabel("Subject line").fill("News of the week");
        BlockEditorWalk.blocks(page);
        page.locator("[name=format][value=markdown]").check();
        assertThat(page.locator("textarea#markdown")).hasValue("## Hello {{name|you}}\n\nSecond\n");
        page.locator("#markdown").fill("# Hello ");
        page.getByText("Insert a field").click();
        page.locator("#fallback").fill("reader");
        page.locator("[data-insert=name]").click();
        page.locator("#markdown").press("End");
        page.locator("#markdown")
                .pressSequentially("\n\nThe library opens **earlier** now.\n\n"
                        + "**[Read more](https://example.org)**\n\n* Monday\n* Tuesday\n\n> A quote\n");
        assertThat(page.locator("#saved")).containsText("Saved at");
        assertThat(page).hasURL(EDITED);
        assertThat(preview(page).locator("h1")).hasText("Hello Alex Sample");
        insertImage(page);
        assertThat(preview(page).locator("img")).hasAttribute("alt", "A square that is red, and blue around it");
        Screens.look(page, "composer-content");
        page.setViewportSize(390, 844);
        page.locator(".frames").scrollIntoViewIfNeeded();
        assertThat(preview(page).locator("h1")).isVisible();
        page.screenshot(
                new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", "composer-phone-frame.png")));
        page.setViewportSize(1920, 1080);
        Screens.picture(page, "composer-content-wide");
        view(page, "phone");
        Screens.picture(page, "composer-content-wide-phone");
        theViewIsSeenInHighContrast(page);
        view(page, "dark");
        assertThat(page.locator("iframe.dark[name]")).hasCount(1);
        assertThat(page.frameLocator("iframe.dark[name]").locator("h1")).hasText("Hello Alex Sample");
        Screens.picture(page, "composer-content-wide-dark");
        view(page, "text");
        assertThat(page.locator("pre.plain-text")).containsText("Hello Alex Sample");
        Screens.look(page, "composer-content-text");
        page.waitForResponse("**/messages/preview.html", () -> view(page, "desktop"));
        assertThat(page.locator("iframe.light")).hasCount(1);
        page.getByText("Show it to somebody else").click();
        page.getByLabel("A person without values").check();
        assertThat(preview(page).locator("h1")).hasText("Hello reader");
        assertThat(page.locator("iframe.light")).hasCount(1);
        page.getByLabel("Subject line")
                .fill("שלום לכולם! \u0627\u0644\u0623\u062e\u0628\u0627\u0631 " + "without-a-space".repeat(8));
        assertThat(page.locator("#preview-words strong")).containsText("without-a-space");
        Screens.look(page, "composer-right-to-left");
        page.getByLabel("Subject line").fill("News of the {{hobby}}");
        assertThat(page.locator("#preview-words")).containsText("One thing to correct");
        page.getByText("One thing to correct").click();
        assertThat(page.locator("#preview-words")).containsText("The fields of this list are {{email}}");
        Screens.look(page, "composer-content-error");
        page.getByLabel("Subject line").fill("News of the week");
        assertThat(page.locator("#saved")).containsText("Saved at");
    }

    private static void theViewIsSeenInHighContrast(Page page) {
        page.emulateMedia(new Page.EmulateMediaOptions().setForcedColors(ForcedColors.ACTIVE));
        String color = "label => getComputedStyle(label).color";
        Assertions.assertThat(page.locator(".views :checked + span").evaluate(color))
                .isNotEqualTo(
                        page.locator(".views :not(:checked) + span").first().evaluate(color));
        page.emulateMedia(new Page.EmulateMediaOptions().setForcedColors(ForcedColors.NONE));
    }

    static void insertImage(Page page) {
        page.getByText("Insert an image", new Page.GetByTextOptions().setExact(true))
                .click();
        page.locator(".latest button").click();
    }

    /** Returns the latest preview. Until it has loaded, its predecessor stays on the page. */
    static FrameLocator preview(Page page) {
        return page.locator("iframe.light").last().contentFrame();
    }

    private static void view(Page page, String view) {
        page.locator(".views label:has([value=" + view + "])").click();
    }

    private static void sessionEnds(Page page, String url) {
        page.context().clearCookies();
        page.locator("#markdown").press("Control+End");
        page.locator("#markdown").pressSequentially("\nTyped after the session ended.");
        assertThat(page.locator("dialog")).containsText("You are signed out");
        Screens.look(page, "composer-signed-out");
        Page tab = page.waitForPopup(() -> page.locator("dialog a").click());
        signIn(tab);
        tab.close();
        page.bringToFront();
        Locator again = page.getByText("I am signed in: save now");
        if (again.isVisible()) {
            again.click();
        }
        assertThat(page.locator("dialog")).isHidden();
        assertThat(page.locator("#saved")).containsText("Saved at");
        page.reload();
        Assertions.assertThat(page.locator("#markdown").inputValue()).contains("Typed after the session ended.");
    }

    private static void conflict(Page page, String url) {
        Page other = page.context().newPage();
        other.navigate(page.url());
        other.getByLabel("Subject line").fill("Theirs");
        assertThat(other.locator("#saved")).containsText("Saved at");
        other.close();
        page.locator("#markdown").press("Control+End");
        page.locator("#markdown").pressSequentially("\nMine.");
        assertThat(page.locator("#saved")).containsText("Not saved: somebody else changed this message");
        Screens.look(page, "composer-conflict");
        page.getByText("Compare both versions").click();
        assertThat(page.locator("#subject-error")).hasText("Current value: Theirs");
        Assertions.assertThat(page.locator("#markdown").inputValue()).contains("Mine.");
        Screens.look(page, "composer-both-versions");
    }

    private static void recipientsAndReview(Page page) {
        page.getByText("Continue to recipients and time").click();
        assertThat(page).hasURL(Pattern.compile(".*/edit/recipients"));
        Screens.look(page, "composer-recipients");
        page.getByLabel("On this date").check();
        SiteWalk.largeLetters(page, "recipients and time");
        page.getByLabel("Time zone").selectOption("Europe/Berlin");
        page.locator("#time").fill("02:30");
        page.locator("#date").fill("2027-03-28");
        page.locator("#date").dispatchEvent("change");
        assertThat(page.locator("#time-note")).containsText("28 Mar 2027, 03:30 instead");
        Screens.look(page, "composer-time");
        page.getByText("Continue to review").click();
        assertThat(page.locator(".notice")).containsText("does not exist on that day");
        page.getByLabel("To", new Page.GetByLabelOptions().setExact(true)).fill("boss@example.org, me@example.org");
        page.getByText("Send test email").last().click();
        assertThat(page.locator("#tests tbody tr")).hasCount(2);
        Screens.look(page, "composer-review");
        page.getByText("Schedule", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.locator(".notice")).containsText("scheduled");
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
        assertThat(page.locator("header:visible, .buttons:visible, .menu:visible"))
                .hasCount(0);
        assertThat(page.locator("h1")).isVisible();
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.SCREEN));
    }

    @Test
    void anAuthorWithoutScriptsGetsTheTextBackAfterSigningInAgain(@TempDir Path data, CapturedOutput output)
            throws Exception {
        try (RunningService service = RunningService.start(data);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser()
                    .newContext(new Browser.NewContextOptions().setJavaScriptEnabled(false))
                    .newPage();
            page.setDefaultTimeout(20_000);
            begin(page, service, output);
            page.navigate(service.url() + "/messages/new");
            page.getByLabel("Subject line").fill("Without scripts");
            page.locator("[name=format][value=markdown]").check();
            page.getByText("Change", new Page.GetByTextOptions().setExact(true)).click();
            page.locator("#markdown").fill("# First line\n\n\"Quotes\" & <tags>\n");
            page.context().clearCookies();
            page.getByText("Continue to recipients and time").click();
            assertThat(page.locator("h1")).hasText("You are signed out");
            Screens.picture(page, "composer-kept");
            Page tab = page.context().newPage();
            tab.navigate(service.url() + "/sign-in");
            signIn(tab);
            tab.close();
            page.locator("main form button").click();
            assertThat(page.locator("h1")).hasText("Your entries are not saved yet");
            page.locator("main form button").click();
            assertThat(page).hasURL(Pattern.compile(".*/edit/recipients"));
            page.getByText("1. Content").click();
            Assertions.assertThat(page.locator("#markdown").inputValue())
                    .isEqualTo("# First line\n\n\"Quotes\" & <tags>\n");
            assertThat(preview(page).locator("h1")).hasText("First line");
            Screens.picture(page, "composer-no-script");
            page.getByText("3. Review").click();
            page.getByText("Send to nobody yet").click();
            assertThat(page.locator(".notice")).containsText("being sent");
        }
    }

    static void begin(Page page, RunningService service, CapturedOutput output) {
        page.navigate(RunningService.setupLink(output.getOut()));
        page.locator("[name=email]").fill("ann@example.org");
        page.locator("[name=password]").fill(PASSWORD);
        page.locator("[name=repeated]").fill(PASSWORD);
        page.locator("main form button").last().click();
        page.navigate(service.url() + "/lists/new");
        page.locator("#name").fill("news");
        page.locator("#description").fill("Our newsletter");
        page.locator("#fromEmail").fill("news@example.org");
        page.locator("main form button").first().click();
        page.waitForURL("**/lists/news");
    }

    static void signIn(Page page) {
        page.locator("[name=email]").fill("ann@example.org");
        page.locator("[name=password]").fill(PASSWORD);
        page.locator("main form button").first().click();
        page.waitForURL(url -> !url.contains("/sign-in"));
    }
}
