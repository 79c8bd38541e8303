package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Set;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks Markdown that is designed to keep its parser busy, which takes quadratic time for unfinished links and tags.
 */
class MarkdownTimeIT {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final MessageBodies bodies = BodiesInTests.bodies();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<",
                "<a",
                "<a@b",
                "<!--",
                "[",
                "[a](<",
                "<http://a",
                "[a\n",
                "![[]()",
                "`a``",
                "*a _",
                "> ",
                "- "
            })
    void anyPatternIsCheckedOrRefusedInTime(String pattern) {
        for (int size : new int[] {20_000, 80_000, 400_000, 1_600_000}) {
            Draft draft = new Draft("News", new byte[0], null, pattern.repeat(size / pattern.length()), Layout.LETTER);
            assertTimeoutPreemptively(SOON, () -> bodies.check(draft, Set.of(), null), pattern + " " + size);
        }
    }

    /** Each text repeats the pattern, and continues after it, as often as the limits allow. */
    @ParameterizedTest
    @ValueSource(strings = {"<", "<a", "<a@b", "<!--", "[", "[a](<", "<http://a", "[a\n"})
    void theWorstThatIsAllowedIsCheckedInTime(String pattern) {
        long marks = pattern.chars().filter(c -> c == '<' || c == '[').count();
        String start = pattern.repeat((int) (MarkdownRenderer.MAX_MARKS / marks));
        String markdown = start + "a".repeat(MarkdownRenderer.MAX_BYTES - start.length());

        assertTimeoutPreemptively(SOON, () -> assertThat(
                        bodies.check(new Draft("News", new byte[0], null, markdown, Layout.LETTER), Set.of(), null))
                .isInstanceOf(Checked.Valid.class));
    }
}
