package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;

/** Writes a message in blocks, over a slow connection, too. */
final class BlockEditorWalk {

    private BlockEditorWalk() {}

    static void blocks(Page page) {
        page.locator(".add-block").getByText("Text").click();
        assertThat(page.locator("#block-0-text")).isFocused();
        page.locator("#block-0-text").fill("Second");
        page.locator(".add-block").getByText("Heading").click();
        assertThat(page.locator("#block-1-text")).isFocused();
        page.keyboard().type("Hello ");
        page.getByText("Insert a field").click();
        page.locator("#fallback").fill("you");
        page.locator("[data-insert=name]").click();
        page.keyboard().press("Alt+ArrowUp");
        assertThat(page.locator("#block-0-text")).hasValue("Hello {{name|you}}");
        assertThat(page.locator("#block-0-text")).isFocused();
        assertThat(ComposerWalkIT.preview(page).locator("h2")).hasText("Hello Alex Sample");
        for (String kind : List.of("Image", "Button", "Columns", "Divider", "Quote", "Footer")) {
            page.locator(".add-block").getByText(kind).click();
            assertThat(page.locator(".block-head strong").last()).containsText(kind);
        }
        page.locator("#block-2-address").focus();
        ComposerWalkIT.insertImage(page);
        assertThat(page.locator("#block-2-text")).hasValue("A square that is red, and blue around it");
        assertThat(page.locator("#block-2-address")).hasValue(Pattern.compile("http.*/image/.*"));
        page.locator("#block-1-text").focus();
        ComposerWalkIT.insertImage(page);
        assertThat(page.locator(".block")).hasCount(9);
        assertThat(page.locator("#block-2-address")).hasValue(Pattern.compile("http.*/image/.*"));
        assertThat(ComposerWalkIT.preview(page).locator("img")).hasCount(2);
        page.locator("button[value=delete-2]").click();
        assertThat(page.locator(".block")).hasCount(8);
        Screens.look(page, "composer-blocks");
        SiteWalk.largeLetters(page, "the blocks");
        typedWhileTheServiceAnswers(page);
        typedInAnotherBlock(page);
        for (int left = 7; left > 1; left--) {
            page.locator("button[value=delete-" + left + "]").click();
            assertThat(page.locator(".block")).hasCount(left);
            assertThat(page.getByText("Undo")).isFocused();
        }
        clickedWhileTheServiceAnswers(page);
        assertThat(page.locator("#saved")).containsText("Saved at");
    }

    /** A slow connection loses nothing that is typed while a button waits, and a double click is one click. */
    private static void typedWhileTheServiceAnswers(Page page) {
        Locator button = page.locator("button[value=copy-1]");
        String place = "button => button.getBoundingClientRect().top + scrollY";
        Object before = button.evaluate(place);
        Route copy = waits(page, "copy-1", button::dblclick);
        Assertions.assertThat(button.evaluate(place)).isEqualTo(before);
        page.locator("#block-1-text").fill("Second, typed meanwhile");
        copy.resume();
        assertThat(page.locator(".block")).hasCount(9);
        assertThat(page.locator("#block-1-text")).hasValue("Second, typed meanwhile");
        assertThat(page.locator("#block-2-text")).hasValue("Second, typed meanwhile");
        page.locator("button[value=delete-2]").click();
        assertThat(page.locator(".block")).hasCount(8);
        page.locator("#block-1-text").fill("Second");
    }

    /** An author who goes on to write in another block stays there, at the same place in the text. */
    private static void typedInAnotherBlock(Page page) {
        Route add = waits(page, "add-0-TEXT", () -> {
            page.locator("#block-0 summary").click();
            page.locator("button[value=add-0-TEXT]").click();
        });
        page.locator("#block-1-text").focus();
        page.keyboard().press("Home");
        page.keyboard().type("A ");
        add.resume();
        assertThat(page.locator(".block")).hasCount(9);
        assertThat(page.locator("#block-2-text")).isFocused();
        page.keyboard().type("new ");
        assertThat(page.locator("#block-2-text")).hasValue("A new Second");
        page.locator("button[value=delete-0]").click();
        assertThat(page.locator(".block")).hasCount(8);
        page.locator("#block-1-text").fill("Second");
    }

    /** A slow connection undoes no click, replaces no image and takes no author back to a block. */
    private static void clickedWhileTheServiceAnswers(Page page) {
        page.locator(".add-block").getByText("Image").click();
        page.locator("#block-2-address").fill("https://example.org/own.png");
        Route copy = waits(page, "copy-1", page.locator("button[value=copy-1]")::click);
        page.locator("#block-1-text").focus();
        ComposerWalkIT.insertImage(page);
        page.locator("#subject").focus();
        copy.resume();
        assertThat(page.locator(".block")).hasCount(4);
        assertThat(page.locator("#block-3-address")).hasValue("https://example.org/own.png");
        assertThat(page.locator("#subject")).isFocused();
        page.locator("button[value=delete-3]").click();
        assertThat(page.locator(".block")).hasCount(3);
        Route delete = waits(page, "delete-2", page.locator("button[value=delete-2]")::click);
        page.locator("button[value=NEXT]").click();
        delete.resume();
        page.waitForURL("**/edit/recipients");
        page.navigate(page.url().replace("/recipients", ""));
        assertThat(page.locator("#block-1-text")).hasValue("Second");
        assertThat(page.locator(".block")).hasCount(2);
        page.locator("#subject").fill("News of this week");
        page.locator("#subject").fill("News of the week");
    }

    /** Returns the request with these words that the action causes. It waits until the test resumes it. */
    private static Route waits(Page page, String words, Runnable action) {
        List<Route> waiting = new CopyOnWriteArrayList<>();
        page.route("**/messages/*/edit", route -> {
            if (waiting.isEmpty() && String.valueOf(route.request().postData()).contains(words)) {
                waiting.add(route);
            } else {
                route.resume();
            }
        });
        action.run();
        page.waitForCondition(() -> !waiting.isEmpty());
        return waiting.get(0);
    }
}
