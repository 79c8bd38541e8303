package org.azuremail.gallery;

import ch.digitalfondue.mjml4j.Mjml4j;
import java.util.Optional;
import org.azuremail.content.Frame;
import org.azuremail.reason.Reason;

/**
 * The text of a template in MJML. The time to render it grows with its length, which is limited, as are nested elements and fonts,
 * for which the renderer takes long.
 *
 * @param text as written
 */
public record Mjml(String text) {

    /** The longest template, in characters: it is one property of a row. */
    public static final int LONGEST = 30_000;

    /** A placeholder for the content while the rest is rendered; no template may contain it. */
    static final String CONTENT = "\uE000";

    private static final String FONTS = "  <!--[if !mso]><!-->\n  <link href=";
    private static final String FONTS_END = "  <!--<![endif]-->\n";

    /** Returns the reason why the template cannot be used; empty if it can. */
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

    /** Removes the renderer's links to another service's fonts, which it adds wherever their names appear. */
    private static String withoutFonts(String html) {
        int start = html.indexOf(FONTS);
        int end = html.indexOf(FONTS_END, Math.max(start, 0));
        return start < 0 || end < 0 ? html : html.substring(0, start) + html.substring(end + FONTS_END.length());
    }
}
