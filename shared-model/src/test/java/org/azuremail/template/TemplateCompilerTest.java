package org.azuremail.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.template.TemplateFault.Code;
import org.azuremail.time.ManualTime;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateCompilerTest {

    /** Names that try to run a script in other people's browsers. */
    private static final List<String> HOSTILE = List.of(
            "<script>alert(1)</script>",
            "\"><img src=x onerror=alert(1)>",
            "' onmouseover='alert(1)",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "//evil.example/x",
            "/\\evil.example",
            "&#106;avascript:alert(1)",
            "{{address}}{{#if ask}}",
            "</title></textarea></style><script>alert(1)</script>",
            "<!--",
            "a\r\nBcc: x@evil.example",
            "x;background:url(//evil.example)",
            "\u0000\u202e\ud800");

    @ParameterizedTest
    @EnumSource(TemplateName.class)
    void theProductsOwnTemplatesAreValid(TemplateName name) {
        assertThat(compiled(
                                name,
                                new SharedTemplates(null, new ManualTime())
                                        .all()
                                        .get(name)
                                        .text())
                        .parts())
                .isNotEmpty();
    }

    /**
     * The places are text, attributes, the beginning and the rest of an address, and the texts of a title and of an
     * input.
     */
    @Test
    void noValueBecomesATagAnAttributeOrAnAddressThatRunsCode() {
        CompiledTemplate page = good("<h1>{{address}}</h1><p title=\"{{address}}\" class='{{address}}'>x</p>"
                + "<a id=\"whole\" href=\"{{address}}\">a</a><a id=\"part\" href=\"/x?a={{address}}&amp;b=1\">b</a>"
                + "<textarea>{{address}}</textarea>");
        Document plain = Jsoup.parse(page.render(Map.of("address", "Ann")));
        for (String value : HOSTILE) {
            Document shown = Jsoup.parse(page.render(Map.of("address", value)));
            assertThat(shown.getAllElements()).as(value).hasSameSizeAs(plain.getAllElements());
            for (int i = 0; i < shown.getAllElements().size(); i++) {
                assertThat(shown.getAllElements().get(i).attributes().asList().stream()
                                .map(a -> a.getKey()))
                        .as(value)
                        .containsExactlyElementsOf(plain.getAllElements().get(i).attributes().asList().stream()
                                .map(a -> a.getKey())
                                .toList());
            }
            assertThat(shown.selectFirst("p").attr("title")).isEqualTo(value.replace("\u0000", "\ufffd"));
            assertThat(shown.selectFirst("#whole").attr("href")).as(value).isEqualTo("#");
            assertThat(shown.selectFirst("#part").attr("href")).as(value).matches("/x\\?a=[A-Za-z0-9%._*-]*&b=1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/subscribe?id=1&x=<b>", "https://example.org/a?b=c", "mailto:a@example.org", "tel:+420", "/"})
    void anAddressOfOursIsWrittenAsItIs(String address) {
        String shown = good("<a href=\"{{address}}\">x</a>").render(Map.of("address", address));

        assertThat(Jsoup.parse(shown).selectFirst("a").attr("href")).isEqualTo(address);
    }

    /** A header is one line, whatever a value contains, and a style contains only a colour. */
    @Test
    void inEmailsAValueIsOneLineInHeadersAndNeverAMergeField() {
        CompiledTemplate text =
                compiled(TemplateName.CONFIRMATION_TEXT, "Subject: {{list}}\n\n{{confirm}} {{email|you}}");
        CompiledTemplate html = compiled(
                TemplateName.CONFIRMATION_EMAIL,
                "<p style=\"color:{{color}}\" title=\"{{list}}\">{{list}} {{email|<you>}} <a href=\"{{confirm}}\">x</a></p>");
        for (String value : HOSTILE) {
            Map<String, String> values = Map.of("list", value + "{{email}}", "color", value);
            assertThat(text.template(values).fieldNames()).containsExactly("confirm", "email");
            assertThat(text.template(values).merge(Map.of(), Escaping.NONE).lines())
                    .hasSize(3);
            String shown = html.template(values).merge(Map.of("confirm", "/x"), Escaping.HTML);
            assertThat(Jsoup.parse(shown).selectFirst("p").attr("style")).matches("color:[A-Za-z0-9#.% -]*");
            assertThat(Jsoup.parse(shown).selectFirst("p").text()).contains("{{email}} <you> x");
            assertThat(Jsoup.parse(shown).getAllElements()).as(value).hasSize(6);
        }
    }

    @Test
    void blocksDependOnValuesAndLoopsRepeatItems() {
        String source = "{{! a remark\nof two lines }}{{#if name}}Dear {{name}}{{else}}Hello{{/if}}"
                + "{{#each fields}}<p {{#if value}}title=\"{{value}}\"{{/if}}>{{label}}{{#if saved}}!{{/if}}</p>{{/each}}";
        CompiledTemplate page = compiled(TemplateName.PREFERENCES, source + REQUIRED);
        List<Map<String, String>> fields = List.of(Map.of("label", "City", "value", "Brno"), Map.of("label", "<b>"));

        assertThat(page.render(Map.of("name", "Ann & Bob", "fields", fields, "saved", "yes")))
                .startsWith("\nDear Ann &amp; Bob<p title=\"Brno\">City!</p><p >&lt;b&gt;!</p>");
        assertThat(page.render(Map.of("name", "  ", "fields", List.of()))).startsWith("\nHello<form");
    }

    private static final String REQUIRED =
            "<form method=\"post\" action=\"/preferences\"><input name=\"id\" value=\"{{id}}\">"
                    + "<input name=\"listName\" value=\"{{list-name}}\"><button>Save</button></form>";

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            1 ~ TEMPLATE_NOT_A_TAG ~ {{a.b}}
            1 ~ TEMPLATE_NOT_A_TAG ~ {{#if a == b}}x{{/if}}
            1 ~ TEMPLATE_NOT_A_TAG ~ {{&address}}
            1 ~ TEMPLATE_NOT_A_TAG ~ {{>page}}
            1 ~ TEMPLATE_NOT_A_TAG ~ {{{address}}}
            2 ~ TEMPLATE_NOT_CLOSED ~ a↵b {{address
            2 ~ TEMPLATE_NOT_CLOSED ~ ↵{{ {{address}} }}
            3 ~ TEMPLATE_UNKNOWN_FIELD ~ ↵↵{{password}}
            1 ~ TEMPLATE_UNKNOWN_FIELD ~ {{#each address}}x{{/each}}
            1 ~ TEMPLATE_UNKNOWN_FIELD ~ {{#if nothing}}x{{/if}}
            2 ~ TEMPLATE_BLOCK_OPEN ~ ↵{{#if list}}x
            2 ~ TEMPLATE_BLOCK_MISSING ~ x↵{{/if}}
            1 ~ TEMPLATE_BLOCK_MISSING ~ {{#if list}}a{{else}}b{{else}}c{{/if}}
            1 ~ TEMPLATE_BLOCK_MISSING ~ {{#if list}}a{{/each}}
            1 ~ TEMPLATE_BLOCK_ACROSS ~ {{#if list}}<p>{{/if}}x</p>
            1 ~ TEMPLATE_BLOCK_ACROSS ~ <p>{{#if list}}</p>{{else}}x{{/if}}
            1 ~ TEMPLATE_BAD_PLACE ~ <a {{#if list}}title="{{/if}}x">y</a>
            1 ~ TEMPLATE_BLOCK_ACROSS ~ <a {{#if list}}>{{/if}}x="">y</a>
            1 ~ TEMPLATE_BAD_PLACE ~ <{{address}}>
            1 ~ TEMPLATE_BAD_PLACE ~ </{{address}}>
            1 ~ TEMPLATE_BAD_PLACE ~ <{{#if list}}script{{/if}}>
            1 ~ TEMPLATE_BAD_PLACE ~ <!-- {{address}} -->
            1 ~ TEMPLATE_BAD_PLACE ~ <p {{address}}>x</p>
            1 ~ TEMPLATE_BAD_PLACE ~ <p {{address}}="x">x</p>
            2 ~ TEMPLATE_BAD_PLACE ~ <p title="a"↵title="{{address}}">x</p>
            1 ~ TEMPLATE_ATTRIBUTE ~ <p on{{address}}="x">x</p>
            1 ~ TEMPLATE_ATTRIBUTE ~ <p {{#if list}}tit{{/if}}le="x">x</p>
            1 ~ TEMPLATE_ELEMENT ~ <b{{address}}>x</b>
            1 ~ TEMPLATE_ELEMENT ~ <x{{address}}>x</x>
            1 ~ TEMPLATE_NO_QUOTES ~ <p title={{address}}>x</p>
            2 ~ TEMPLATE_ELEMENT ~ ↵<script>alert(1)</script>
            2 ~ TEMPLATE_ELEMENT ~ ↵<SCRIPT SRC="/js/x.js"></SCRIPT>
            1 ~ TEMPLATE_ELEMENT ~ <iframe src="/"></iframe>
            1 ~ TEMPLATE_ELEMENT ~ <style>p { color: red }</style>
            1 ~ TEMPLATE_ELEMENT ~ <svg onload="x"></svg>
            1 ~ TEMPLATE_ELEMENT ~ <base href="https://evil.example">
            1 ~ TEMPLATE_ELEMENT ~ <object data="/x"></object>
            1 ~ TEMPLATE_ELEMENT ~ <meta http-equiv="refresh" content="0;url=//evil.example">
            1 ~ TEMPLATE_ATTRIBUTE ~ <p onclick="x()">x</p>
            1 ~ TEMPLATE_ATTRIBUTE ~ <p style="color:red">x</p>
            1 ~ TEMPLATE_ATTRIBUTE ~ <button formaction="//evil.example">x</button>
            1 ~ TEMPLATE_ADDRESS ~ <a href="javascript:alert(1)">x</a>
            1 ~ TEMPLATE_ADDRESS ~ <a href=" java&#9;script&colon;alert(1)">x</a>
            1 ~ TEMPLATE_ADDRESS ~ <a href="java{{address}}script:x">x</a>
            1 ~ TEMPLATE_ADDRESS ~ <a href="{{address}}javascript:x">x</a>
            1 ~ TEMPLATE_ADDRESS ~ <a href="{{address}}:x">x</a>
            1 ~ TEMPLATE_ADDRESS ~ <img src="https://evil.example/x.png">
            1 ~ TEMPLATE_ADDRESS ~ <img src="//evil.example/x.png">
            1 ~ TEMPLATE_ADDRESS ~ <img src="/\\evil.example/x.png">
            1 ~ TEMPLATE_ADDRESS ~ <form action="https://evil.example/"></form>
            """)
    void aBrokenTemplateIsRefusedWithLineAndReason(int line, Code code, String source) {
        TemplateFault fault = refused(TemplateName.WELCOME, source.replace('↵', '\n'));

        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.line()).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            CONFIRM ~ TEMPLATE_MISSING ~ <p>{{list}}</p>
            CONFIRM ~ TEMPLATE_MISSING ~ {{#if dead}}<form method="post" action="/subscribe"><button>x</button></form>{{/if}}
            UNSUBSCRIBE ~ TEMPLATE_MISSING ~ <form method="get" action="/unsubscribe"><button name="answer" value="confirm">x</button></form>
            LAYOUT ~ TEMPLATE_MISSING ~ <title>{{title}}</title>
            LAYOUT ~ TEMPLATE_BAD_PLACE ~ <title>{{title}}</title><p title="{{>page}}">
            LAYOUT ~ TEMPLATE_ADDRESS ~ <link rel="stylesheet" href="https://evil.example/x.css">{{>page}}
            LAYOUT ~ TEMPLATE_ATTRIBUTE ~ <meta http-equiv="refresh" content="0">{{>page}}
            LAYOUT ~ TEMPLATE_BAD_PLACE ~ <style>p { color: {{title}} }</style>{{>page}}
            CONFIRMATION_EMAIL ~ TEMPLATE_MISSING ~ <p>{{confirm}}</p>
            CONFIRMATION_EMAIL ~ TEMPLATE_BAD_PLACE ~ <a href="{{email}}">x</a>
            CONFIRMATION_EMAIL ~ TEMPLATE_BAD_PLACE ~ <p style="{{email}}">x</p>
            CONFIRMATION_EMAIL ~ TEMPLATE_UNKNOWN_FIELD ~ {{#if email}}<a href="{{confirm}}">x</a>{{/if}}
            CONFIRMATION_TEXT ~ TEMPLATE_MISSING ~ Subject: x
            FRAME_TEXT ~ TEMPLATE_MISSING ~ Bye.
            FRAME ~ TEMPLATE_MISSING ~ <p>{{unsubscribe}}</p>
            """)
    void aTemplateThatWouldNotDoItsWorkIsRefused(TemplateName name, Code code, String source) {
        assertThat(refused(name, source).code()).isEqualTo(code);
    }

    @Test
    void compilationTimeGrowsOnlyWithLength() {
        for (String piece :
                List.of("<table><b>", "{{#if list}}", "<p>", "{{address}}", "<a title=\"", "{{", "<", "{{address|")) {
            String long_ = piece.repeat(TemplateName.CONFIRMATION_EMAIL.longest() / piece.length());
            long began = System.nanoTime();
            TemplateCompiler.compile(TemplateName.CONFIRMATION_EMAIL, long_);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).as(piece).isLessThan(Duration.ofSeconds(3));
        }
        assertThat(refused(TemplateName.WELCOME, "x".repeat(7_001)).code()).isEqualTo(Code.TEMPLATE_TOO_LONG);
        assertThat(refused(TemplateName.WELCOME, "\n".repeat(1_001)).code()).isEqualTo(Code.TEMPLATE_TOO_LONG);
        assertThat(refused(TemplateName.WELCOME, "a\u0000b").code()).isEqualTo(Code.TEMPLATE_UNREADABLE);
        String nested = "{{#if list}}".repeat(9) + "{{/if}}".repeat(9);
        assertThat(refused(TemplateName.WELCOME, nested).code()).isEqualTo(Code.TEMPLATE_TOO_DEEP);
    }

    private static CompiledTemplate good(String source) {
        return compiled(TemplateName.WELCOME, source);
    }

    private static CompiledTemplate compiled(TemplateName name, String source) {
        TemplateCompiler.Result result = TemplateCompiler.compile(name, source);
        assertThat(result.fault()).isNull();
        return result.template();
    }

    private static TemplateFault refused(TemplateName name, String source) {
        TemplateCompiler.Result result = TemplateCompiler.compile(name, source);
        assertThat(result.template()).as(source).isNull();
        return result.fault();
    }
}
