package org.azuremail.gallery;

import ch.digitalfondue.mjml4j.Mjml4j;
import java.util.Optional;
import org.azuremail.content.Frame;
import org.azuremail.reason.Reason;

/**
 * The text of a template: well-formed MJML. Rendering takes time that grows with what is written, which is limited: of what the
 * renderer takes a long time for, elements inside each other and fonts of its own, there is little or nothing.
 *
 * @param text as it is written
 */
public record Mjml(String text) {

    /** The longest one, in characters: a row holds it as one text. */
    public static final int LONGEST = 30_000;

    /** Stands for the content while the rest is rendered; no template may hold it. */
    static final String CONTENT = "\uE000";

    private static final String FONTS = "  <!--[if !mso]><!-->\n  <link href=";
    private static final String FONTS_END = "  <!--<![endif]-->\n";

    /** Returns the reason why it cannot be used; empty when it can. */
    public Optional<Reason> fault() {
        if (text.length() > LONGEST) {
            return Optional.of(Reason.of(MjmlFault.MJML_LONG, LONGEST));
        }
        try {
            String full = render(Look.FULL);
            render(Look.BARE);
            int times = full.split(CONTENT, -1).length - 1;
            return times == 1 ? Optional.empty() : Optional.of(Reason.of(MjmlFault.MJML_CONTENT, times, "{{content}}"));
        } catch (MjmlReader.Refusal refusal) {
            return Optional.of(refusal.reason());
        } catch (RuntimeException notTaken) {
            return Optional.of(Reason.of(MjmlFault.MJML_NOT_RENDERED, String.valueOf(notTaken.getMessage())));
        }
    }

    /** The template in the look of a list. */
    public Frame in(Look look) {
        return new Frame() {
            @Override
            public Buttons buttons() {
                return look.buttons();
            }

            @Override
            public String around(String content) {
                return render(look).replace(CONTENT, content);
            }
        };
    }

    private String render(Look look) {
        String html = Mjml4j.render(MjmlReader.filled(text, look), new Mjml4j.Configuration(look.language()));
        return withoutFonts(html);
    }

    /** The renderer links to fonts of another service wherever their names appear. */
    private static String withoutFonts(String html) {
        int start = html.indexOf(FONTS);
        int end = html.indexOf(FONTS_END, Math.max(start, 0));
        return start < 0 || end < 0 ? html : html.substring(0, start) + html.substring(end + FONTS_END.length());
    }
}
