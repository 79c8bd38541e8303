package org.azuremail.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.content.BodiesInTests;
import org.azuremail.content.HtmlOutline;
import org.azuremail.content.HtmlText;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.Template;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.gallery.Mjml.TemplateValues;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.template.Templates;
import org.azuremail.time.ManualTime;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the shipped templates, the refusal of others with its place, and that hostile values are harmless. */
class GalleryTest {

    private static final ListName NEWS = new ListName("news");
    static final String PAGE =
            "<mjml><mj-body><mj-section><mj-column>%s<mj-text>{{content}}</mj-text></mj-column></mj-section></mj-body></mjml>";

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final SimulatedStorage storage = new SimulatedStorage(time, 7);
    private final TableStore tables = storage.storage().tables();
    private final Gallery gallery = new Gallery(tables, URI.create("http://x"));
    private final MessageBodies bodies = BodiesInTests.bodies();

    static Stream<MessageTemplate> shipped() {
        return Gallery.shipped().stream();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedTemplateIsValidAndHasTheRequiredParts(MessageTemplate template) {
        assertThat(template.mjml().fault()).isEmpty();
        for (Brand brand : List.of(
                Brand.NONE,
                Brand.NONE
                        .withColor("#ffee00")
                        .withLogo("A".repeat(22) + ".png")
                        .withAddress("1 Main St"))) {
            String html = html(template, list(brand), "Hi {{name|you}}");
            Document page = Jsoup.parse(html);

            assertThat(page.select("html").attr("lang")).isEqualTo("pt-BR");
            assertThat(page.select("h1")).hasSize(1);
            assertThat(page.select("a[href={{unsubscribe}}]")).hasSize(1);
            assertThat(page.select("img[src^=http://x/logo/]")).hasSize(brand.logo() == null ? 0 : 1);
            assertThat(page.select("img:not([alt])")).isEmpty();
            assertThat(page.select("a[href=https://x.org]").attr("style"))
                    .contains("background-color:" + brand.buttonColor() + ";color:" + brand.textColor());
            assertThat(html)
                    .contains("prefers-color-scheme", "Hi {{name|you}}")
                    .doesNotContain("{{#", "{{/", "googleapis");
            assertThat(html.contains("{{list-address}}")).isEqualTo(brand.address() != null);
            assertThat(Template.parseHtml(HtmlOutline.of(html).shown()).fieldNames())
                    .as("no line is added")
                    .contains("unsubscribe");
            assertThat(html.length()).isLessThan(16_000);
            assertThat(Template.parseHtml(html).fieldNames()).isSubsetOf("name", "list", "list-address", "unsubscribe");
            assertThat(HtmlText.of(html))
                    .contains("Hello", "Unsubscribe ({{unsubscribe}})")
                    .doesNotContain("Hi {{");
        }
    }

    @Test
    void anyValueIsInsertedAsText() {
        String hostile = "\"></div><script>alert(1)</script><b x='\uE000";
        for (MessageTemplate template : Gallery.shipped()) {
            Document page = Jsoup.parse(html(template, list(Brand.NONE), hostile));

            assertThat(page.select("script, b[x]")).isEmpty();
            assertThat(page.select("h1")).hasSize(1);
            assertThat(page.text()).contains("<script>alert(1)</script>");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<mj-text>a<br></mj-text> | MJML_NOT_XML | 2",
                "<mj-text>a & b</mj-text> | MJML_NOT_XML | 2",
                "<!DOCTYPE x [<!ENTITY a 'b'>]> | MJML_NOT_XML | 2",
                "<mj-column /> | MJML_ELEMENT | 2",
                "<mj-include path='/etc/passwd' /> | MJML_ELEMENT | 2",
                "<mj-text><mj-button /></mj-text> | MJML_ELEMENT | 2",
                "<mj-text>#<script>a</script></mj-text> | MJML_ELEMENT_REFUSED | 3",
                "<mj-text><IMG /></mj-text> | MJML_ELEMENT_REFUSED | 2",
                "<mj-image src='x' # alt='a' # onerror='x' /> | MJML_ATTRIBUTE | 2",
                "<mj-text>a#b#{{nobody}}</mj-text> | MJML_FIELD | 4",
                "<mj-text>{{city}}</mj-text> | MJML_FIELD | 2",
                "<mj-text>#{{name</mj-text> | MJML_FIELD | 3",
                "<mj-text><!-- # {{x}} # --> # {{first name}}</mj-text> | MJML_FIELD | 5",
                "<mj-image # src='a' # href='x{{unsubscribe}}' /> | MJML_FIELD_PLACE | 4",
                "<mj-text><a href='{{name}}'>a</a></mj-text> | MJML_FIELD_PLACE | 2",
                "<mj-text color='{{name}}'>a</mj-text> | MJML_FIELD_PLACE | 2",
                "{{name}} | MJML_FIELD_PLACE | 2",
                "<mj-button>{{content}}</mj-button> | MJML_FIELD_PLACE | 2",
                "<mj-text>{{#if logo}}a</mj-text> | MJML_BLOCK | 2",
                "<mj-text>{{#if logo}}</mj-text>{{/if}} | MJML_BLOCK | 2",
                "{{/if}} | MJML_BLOCK | 2",
                "{{#if name}}{{/if}} | MJML_FIELD | 2",
                "<mj-text>{{content}}</mj-text> | MJML_CONTENT | 2",
            })
    void faultsAreToldWithTheirLine(String piece, MjmlFault fault, int line) {
        Mjml mjml = new Mjml(PAGE.formatted("\n" + piece.replace("#", "\n").replace("{{\nif", "{{#if") + "\n"));

        assertThat(mjml.fault()).hasValueSatisfying(reason -> {
            assertThat(reason.is(fault)).as(reason.words()).isTrue();
            assertThat(reason.text(0)).as(reason.words()).isEqualTo(String.valueOf(line));
            assertThat(MjmlFault.line(reason)).isEqualTo(fault == MjmlFault.MJML_CONTENT ? 0 : line);
        });
    }

    @Test
    void namedCharactersAndConditionsAreAccepted() {
        Mjml mjml = new Mjml(PAGE.formatted("{{#if logo}}<mj-image src='{{logo}}' />{{/if}}<mj-text>a&nbsp;&copy;"
                + "{{#if preview}}<b>{{preview}}</b>{{/if}} &lt;i&gt;</mj-text>"));
        String html = html(new MessageTemplate("x", null, mjml, false), list(Brand.NONE), "");

        assertThat(mjml.fault()).isEmpty();
        assertThat(html).contains("a&nbsp;\u00a9 &lt;i&gt;").doesNotContain("<b>", "<img");
    }

    @Test
    void aListsTemplateTakesPrecedenceOverASharedOneAndAShippedOneOverBoth() {
        Mjml mine = new Mjml(PAGE.formatted("<mj-text>mine</mj-text>"));
        Mjml ours = new Mjml(PAGE.formatted("<mj-text>ours</mj-text>"));
        gallery.save(new MessageTemplate("autumn", null, ours, false), null);
        gallery.save(new MessageTemplate("autumn", NEWS, mine, false), null);

        assertThat(gallery.find("autumn", NEWS))
                .hasValueSatisfying(one -> assertThat(one.mjml()).isEqualTo(mine));
        assertThat(gallery.find("autumn", new ListName("other")))
                .hasValueSatisfying(one -> assertThat(one.mjml()).isEqualTo(ours));
        assertThat(gallery.find("letter", NEWS))
                .hasValueSatisfying(one -> assertThat(one.shipped()).isTrue());
        assertThat(gallery.offered(NEWS))
                .extracting(MessageTemplate::name)
                .containsExactly("letter", "newsletter", "announcement", "event", "autumn");

        Templates.forget(tables, NEWS, gone -> true);
        assertThat(gallery.stored(NEWS)).isEmpty();
        assertThat(gallery.stored(null)).hasSize(1);
    }

    @Test
    void concurrentSavesAndDeletionsDoNotOverwriteEachOther() {
        MessageTemplate first = new MessageTemplate("autumn", null, new Mjml(PAGE.formatted("")), false);
        MessageTemplate second = new MessageTemplate("autumn", null, new Mjml(PAGE.formatted("<mj-spacer/>")), false);
        String etag = gallery.save(first, null).done().orElseThrow().etag();

        assertThat(gallery.save(second, null)).isInstanceOf(Saved.Conflict.class);
        var read = gallery.stored(null, "autumn").orElseThrow();
        assertThat(gallery.save(second, etag)).isInstanceOf(Saved.Done.class);
        assertThat(gallery.save(first, etag)).isInstanceOf(Saved.Conflict.class);
        assertThat(gallery.delete(read)).isFalse();
        assertThat(gallery.delete(gallery.stored(null, "autumn").orElseThrow())).isTrue();
        assertThat(gallery.save(first, etag)).isInstanceOf(Saved.Missing.class);
    }

    /** The list is deleted meanwhile, and a new one has its name. */
    @Test
    void aTemplateThatIsSavedWhileItsListIsDeletedIsNotOneOfTheNextList() {
        tables.createTable(ListStore.TABLE);
        ListStore lists = new ListStore(tables);
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        boolean reached = true;
        int call = 0;
        while (reached) {
            ListName name = new ListName("list" + ++call);
            MailingList list = MailingList.of(name, "News", from, OptIn.DOUBLE, time.instant());
            lists.create(list);
            SleepAt sleeper = new SleepAt(call, () -> {
                lists.markDeleting(name);
                Templates.forget(tables, name, lists::isDeleting);
                lists.remove(name);
                time.advance(Duration.ofSeconds(1));
                lists.create(MailingList.of(name, "News", from, OptIn.DOUBLE, time.instant()));
            });
            storage.hook(sleeper);
            Mjml mjml = new Mjml(PAGE.formatted(""));
            Saved<MessageTemplate> saved = gallery.save(list, new MessageTemplate("autumn", name, mjml, false), null);
            storage.hook(CallHook.NONE);
            reached = sleeper.slept();
            assertThat(gallery.stored(name))
                    .as("at call " + call)
                    .hasSize(saved instanceof Saved.Done && !reached ? 1 : 0);
        }
        assertThat(call).isGreaterThan(1);
    }

    private String html(MessageTemplate template, MailingList list, String preview) {
        Draft draft = new Draft(
                "News", new byte[0], null, "# Hello\n\n**[Go](https://x.org)**", new Layout(template.name(), preview));
        Checked checked = bodies.check(
                draft, Set.of(), template.mjml().in(TemplateValues.of(list, preview, URI.create("http://x"))));
        return ((Checked.Valid) checked).html();
    }

    private static MailingList list(Brand brand) {
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        MailingList list = MailingList.of(NEWS, "News", from, OptIn.DOUBLE, Instant.EPOCH);
        return Lists.with(list, "language", "pt-BR").withBrand(brand);
    }
}
