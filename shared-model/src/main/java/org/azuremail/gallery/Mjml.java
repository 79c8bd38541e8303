package org.azuremail.gallery;

import ch.digitalfondue.mjml4j.Mjml4j;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.content.Layout.Frame;
import org.azuremail.list.Brand;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.Links;
import org.azuremail.reason.Reason;

/**
 * The text of a template in MJML. Its length is limited, because the rendering time grows with it. Nested elements and
 * fonts are limited, too, because they slow the renderer down.
 */
public record Mjml(String text) {

    /** The longest template, in characters, which fits one property of a row. */
    public static final int MAX_LENGTH = 30_000;

    /** A placeholder for the content while the rest is rendered; no template may contain it. */
    static final String CONTENT = "\uE000";

    private static final String FONTS = "  <!--[if !mso]><!-->\n  <link href=";
    private static final String FONTS_END = "  <!--<![endif]-->\n";

    /** Returns the reason why the template cannot be used; empty if it can. */
    public Optional<Reason> fault() {
        if (text.length() > MAX_LENGTH) {
            return Optional.of(Reason.of(MjmlFault.MJML_LONG, MAX_LENGTH));
        }
        try {
            String full = render(TemplateValues.FULL);
            render(TemplateValues.BARE);
            int times = full.split(CONTENT, -1).length - 1;
            return times == 1 ? Optional.empty() : Optional.of(Reason.of(MjmlFault.MJML_CONTENT, times, "{{content}}"));
        } catch (MjmlReader.Refusal refusal) {
            return Optional.of(refusal.reason());
        } catch (RuntimeException notTaken) {
            return Optional.of(Reason.of(MjmlFault.MJML_NOT_RENDERED, String.valueOf(notTaken.getMessage())));
        }
    }

    public Frame in(TemplateValues values) {
        return new Frame() {
            @Override
            public Buttons buttons() {
                return values.buttons();
            }

            @Override
            public String around(String content) {
                return render(values).replace(CONTENT, content);
            }
        };
    }

    private String render(TemplateValues values) {
        String html = Mjml4j.render(MjmlReader.filled(text, values), new Mjml4j.Configuration(values.language()));
        return withoutFonts(html);
    }

    /** Removes the renderer's links to another service's fonts, which it adds wherever their names appear. */
    private static String withoutFonts(String html) {
        int start = html.indexOf(FONTS);
        int end = html.indexOf(FONTS_END, Math.max(start, 0));
        return start < 0 || end < 0 ? html : html.substring(0, start) + html.substring(end + FONTS_END.length());
    }

    /**
     * The reasons why a template is refused or cannot be used. If a reason has a place, its first parameter is the
     * line, from 1.
     */
    public enum MjmlFault implements Reason.Code {
        /** The parameter is the most characters. */
        MJML_LONG,
        /** The parameters are the line, the column and the parser's message. */
        MJML_NOT_XML,
        /** The parameters are the line, the element and the element around it. */
        MJML_ELEMENT,
        /** The parameters are the line and an element whose content browsers would parse differently. */
        MJML_ELEMENT_REFUSED,
        /** The parameters are the line and an attribute that would run code. */
        MJML_ATTRIBUTE,
        MJML_ELEMENTS,
        /** The parameter is the line. */
        MJML_DEEP,
        /** The parameters are the line, the text and the known fields. */
        MJML_FIELD,
        MJML_FIELD_PLACE,
        MJML_BLOCK,
        /** The parameter is the line. */
        MJML_STYLE,
        /** The parameters are how often the content occurs, and its field. */
        MJML_CONTENT,
        MJML_NOT_RENDERED,
        /** The parameter is the template's name. */
        MJML_MISSING;

        private static final Set<MjmlFault> WITHOUT_PLACE =
                EnumSet.of(MJML_LONG, MJML_CONTENT, MJML_NOT_RENDERED, MJML_MISSING);

        /** Returns the line of a fault, from 1; 0 if it has no place. */
        public static int line(Reason fault) {
            return WITHOUT_PLACE.stream().anyMatch(fault::is) ? 0 : Integer.parseInt(fault.text(0));
        }
    }

    /**
     * The values of a list and of a message for a template.
     *
     * @param language a BCP 47 tag
     * @param values by field; an empty value counts as missing
     */
    public record TemplateValues(String language, Map<String, String> values) {

        /** Values for every field, to test a template. */
        static final TemplateValues FULL = new TemplateValues(
                "en", values("#0069c2", "#ffffff", "https://example.org/logo.png", "1 Main St", "Hi"));

        /** The values that every list has, to test a template. */
        static final TemplateValues BARE = new TemplateValues("en", values("#0069c2", "#ffffff", "", "", ""));

        public TemplateValues {
            values = Map.copyOf(values);
        }

        /** @param preview the preview text; may be empty, and may have merge fields */
        public static TemplateValues of(MailingList list, String preview, URI publicUrl) {
            Brand brand = list.brand();
            return new TemplateValues(
                    list.language(),
                    values(
                            brand.buttonColor(),
                            brand.textColor(),
                            brand.logo() == null ? "" : Links.logo(publicUrl, brand.logo()),
                            brand.address() == null ? "" : brand.address(),
                            preview.replace(Mjml.CONTENT, "")));
        }

        private static Map<String, String> values(
                String color, String textColor, String logo, String address, String preview) {
            return Map.of(
                    "color", color, "text-color", textColor, "logo", logo, "list-address", address, "preview", preview);
        }

        String value(String field) {
            return values.getOrDefault(field, "");
        }

        Frame.Buttons buttons() {
            return new Frame.Buttons(value("color"), value("text-color"));
        }
    }
}
