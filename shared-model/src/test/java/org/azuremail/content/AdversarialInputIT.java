package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Checks that input designed to keep a parser busy takes linear time: four times the input takes four times the steps,
 * not sixteen.
 */
class AdversarialInputIT {

    private static final int SMALL = 10_000;

    /** The largest growth of the steps. It exceeds four because a small input may not reach its full depth. */
    private static final double LINEAR = 4.5;

    static final String[] PATTERNS = {
        "<!--",
        "<ol><li>",
        "<ul><li>",
        "<b>",
        "<a>",
        "<a href=x>",
        "<div>",
        "<p>",
        "<table>",
        "<table><tr><td>",
        "<table><b>",
        "<b><p>",
        "<i><b></i>",
        "<font><p></font>",
        "<li>",
        "<dd>",
        "<select>",
        "<svg>",
        "<template>",
        "<button>",
        "</b>",
        "</p>",
        "</body>",
        "<body>",
        "<!",
        "<?",
        "<![CDATA[",
        "&",
        "&#",
        "&amp",
        "<x ",
        "<a b=",
        "<a b=\"",
        "<script><!--",
        "<title>",
        "<textarea>",
        "<style>",
        "<plaintext>",
        "<p hidden>",
        "<div style='mso-hide:all'>",
        "<br>",
        "<br><p>",
        "<pre>",
        "<pre>\n",
        "\n",
        "\r",
        " ",
        "&zwnj;",
        "<ol reversed><li>",
        "<blockquote>",
        "<blockquote><br>x",
        "<dl><dd>",
        "<object>",
        "<td>",
        "<tr>",
        "<h1><p>",
        "<a><div></a>",
        "<img alt=x>",
        "{{",
        "}}",
        "{{a",
        "{{a|",
        "{{ ",
        "{{name}}",
        "{{a b}}",
        "<p>x</p>",
        "<hr>",
        "<q>",
        "< ",
        "<",
        "</",
        "<ol><li>a</ol>",
        "<html>",
        "<table><tr><td><ul><li>",
        "<a href='{{unsubscribe}}'>x",
        "<div style='display:none'>",
        "<div style='display:none'></div>",
    };

    @ParameterizedTest
    @FieldSource("PATTERNS")
    void stepsGrowAsTheInputDoes(String pattern) {
        String small = pattern.repeat(SMALL / pattern.length());
        long one = steps(small);
        long four = steps(small.repeat(4));

        assertThat(four).isLessThanOrEqualTo((long) (one * LINEAR) + 1000);
        assertThat(HtmlText.of(small.repeat(4)).length()).isLessThanOrEqualTo(20 * small.length() * 4);
        HtmlOutline outline = HtmlOutline.of(small.repeat(4));
        assertThat(outline.end()).isBetween(outline.start(), small.length() * 4);
    }

    /** Any sequence of patterns is read to its end without a stack overflow, and a place for the line is found. */
    @Test
    void anyMixtureIsReadToItsEnd() {
        Random random = new Random(13);
        for (int round = 0; round < 100; round++) {
            StringBuilder html = new StringBuilder();
            while (html.length() < 5000) {
                html.append(PATTERNS[random.nextInt(PATTERNS.length)].repeat(1 + random.nextInt(20)));
            }
            String text = HtmlText.of(html.toString());
            HtmlOutline outline = HtmlOutline.of(html.toString());
            assertThat(outline.end()).isBetween(0, html.length());
            assertThat(text.length()).isLessThan(20 * html.length());
        }
    }

    @Test
    void elementsAreNeverDeeperThanTheLimit() {
        Depth depth = new Depth();

        HtmlWalker.through("<div>".repeat(100_000) + "x", depth);

        assertThat(depth.opened).isEqualTo(100_000);
        assertThat(depth.deepest).isLessThanOrEqualTo(HtmlWalker.MAX_DEPTH);
    }

    @Test
    void bodyWithMoreTagsThanTheLimitIsRefused() {
        MessageBodies bodies = BodiesInTests.bodies();
        String max = "<p>".repeat(MessageBodies.MAX_TAGS);

        assertThat(bodies.check(Draft.of("s", max, "t"), java.util.Set.of(), null))
                .isInstanceOf(Checked.Valid.class);
        assertThat(bodies.check(Draft.of("s", max + "<p>", "t"), java.util.Set.of(), null))
                .isInstanceOfSatisfying(Checked.Refused.class, refused -> assertThat(refused.problems())
                        .singleElement()
                        .satisfies(problem -> assertThat(problem.message()).contains("100,000")));
    }

    @Test
    void mistakesAreToldAFewAtATime() {
        MessageBodies bodies = BodiesInTests.bodies();
        StringBuilder fields = new StringBuilder("<p>");
        for (int i = 0; i < 20_000; i++) {
            fields.append("{{a").append(i).append("}}{{x y}}{{");
        }

        Checked checked = bodies.check(Draft.of("s", fields.toString(), "t"), java.util.Set.of(), null);

        assertThat(((Checked.Refused) checked).problems()).hasSizeLessThan(60);
    }

    /** Returns the number of characters that patterns read and of methods that the walk of the tags calls. */
    private static long steps(String input) {
        Depth walk = new Depth();
        HtmlWalker.through(input, walk);
        Counted counted = new Counted(input);
        Template.fields(counted).forEach(field -> {});
        FieldCheck.brokenFields(counted).limit(10).forEach(field -> {});
        return walk.calls + counted.looks;
    }

    private static final class Depth implements HtmlWalker.Reader {

        private int deep;
        private int deepest;
        private int opened;
        private long calls;

        @Override
        public void open(Element element) {
            deepest = Math.max(deepest, ++deep);
            opened++;
            calls++;
        }

        @Override
        public void leaf(LeafNode leaf) {
            calls++;
        }

        @Override
        public void close(Element element, Node by, int at) {
            deep--;
            calls++;
        }
    }

    /** Text that counts the reads of its characters. */
    private static final class Counted implements CharSequence {

        private final String text;
        private long looks;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            looks++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            looks += end - start;
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
