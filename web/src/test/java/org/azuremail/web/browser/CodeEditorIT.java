package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Writes HTML and templates in the code editor, and checks the links of a message. */
@ExtendWith(OutputCaptureExtension.class)
class CodeEditorIT {

    @Test
    void anAuthorWritesHtmlInACodeEditor(@TempDir Path data, CapturedOutput output) throws Exception {
        try (RunningService service = RunningService.start(data);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newContext().newPage();
            page.setDefaultTimeout(20_000);
            List<String> loaded = new CopyOnWriteArrayList<>();
            List<String> complaints = new CopyOnWriteArrayList<>();
            page.onRequest(request -> loaded.add(request.url()));
            page.onPageError(complaints::add);
            page.onConsoleMessage(message -> complaints.add(message.text()));
            ComposerWalkIT.begin(page, service, output);
            page.navigate(service.url() + "/messages/new");
            page.getByLabel("Subject line").fill("In HTML");
            assertThat(page.locator("#saved")).containsText("Saved at");
            Assertions.assertThat(loaded).as("before HTML is chosen").noneMatch(url -> url.contains("codemirror"));
            html(page);
            checkLinks(page);
            aLongLine(page);
            template(page, service.url());
            Assertions.assertThat(complaints)
                    .as("the policy of the page lets the editor do its work")
                    .allMatch(text ->
                            text.contains("NotSameOrigin") || text.contains("422") || text.contains("Autofocus"));
        }
    }

    private static void html(Page page) {
        page.locator("[name=format][value=html]").check();
        Locator editor = page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("HTML"));
        assertThat(page.locator(".as-html .CodeMirror")).isVisible();
        page.locator("label[for=html]").click();
        assertThat(editor).isFocused();
        String text = "<p>Hello <a href='http://127.0.0.1:1/'>shop</a></p>\n<p></p>";
        page.keyboard().insertText(text);
        assertThat(page.locator("#html")).hasValue(text);
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("ArrowLeft");
        page.getByText("Insert a field").click();
        page.locator("[data-insert=name]").click();
        assertThat(editor).isFocused();
        page.keyboard().type("!");
        assertThat(page.locator("#html")).hasValue(Pattern.compile("<p>\\{\\{name\\}\\}!</p>$"));
        page.keyboard().press("Control+z");
        assertThat(page.locator("#html")).not().hasValue(Pattern.compile("!"));
        assertThat(page.locator(".CodeMirror .cm-tag").first()).isVisible();
        page.keyboard().press("Tab");
        assertThat(page.getByText("Help with writing")).isFocused();
        page.keyboard().press("Shift+Tab");
        assertThat(editor).isFocused();
        page.keyboard().press("Control+f");
        page.keyboard().type("shop");
        assertThat(page.locator(".CodeMirror-search-field")).hasValue("shop");
        Screens.look(page, "composer-html-search");
        page.keyboard().press("Escape");
        assertThat(ComposerWalkIT.preview(page).locator("p").first()).hasText("Hello shop");
        Screens.look(page, "composer-html");
        Screens.look(page, "composer-html");
    }

    private static void checkLinks(Page page) {
        page.getByText("Check the links").click();
        assertThat(page.locator("#links [autofocus]")).isFocused();
        assertThat(page.locator("#links tbody tr").first()).containsText("The address of 127.0.0.1");
        Screens.look(page, "composer-links");
        page.evaluate("document.getElementById('links').replaceChildren()");
        List<Route> waiting = new CopyOnWriteArrayList<>();
        page.route("**/edit/links", waiting::add);
        page.getByText("Check the links").click();
        page.waitForCondition(() -> !waiting.isEmpty());
        page.getByLabel("Subject line").focus();
        waiting.get(0).resume();
        assertThat(page.locator("#links tbody tr").first()).containsText("The address of 127.0.0.1");
        assertThat(page.getByLabel("Subject line")).isFocused();
        page.unroute("**/edit/links");
        Screens.look(page, "composer-links");
    }

    /** A text without line breaks becomes slow with colours. */
    private static void aLongLine(Page page) {
        page.locator(".CodeMirror-code").focus();
        page.keyboard().press("Control+a");
        String text = "<p>" + "long ".repeat(20_000) + "</p>";
        page.keyboard().insertText(text);
        assertThat(page.locator("#html")).hasValue(text);
        assertThat(page.locator(".CodeMirror .cm-tag")).hasCount(0);
        page.waitForURL(ComposerWalkIT.EDITED);
        assertThat(page.locator("#saved")).containsText("Saved at");
    }

    private static void template(Page page, String url) {
        page.navigate(url + "/templates/new");
        page.locator("#name").fill("mine");
        Locator editor = page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("MJML"));
        editor.focus();
        page.keyboard().press("Control+End");
        page.keyboard().type("\n<oops>");
        page.getByText("Save template").click();
        page.locator(".summary a").click();
        assertThat(editor).isFocused();
        assertThat(page.locator(".CodeMirror .fault-line")).containsText("<oops>");
        assertThat(editor).hasAttribute("aria-invalid", "true");
        assertThat(editor).hasAttribute("aria-describedby", "mjml-hint mjml-error");
        Screens.look(page, "template-code");
        Screens.look(page, "template-code");
    }
}
