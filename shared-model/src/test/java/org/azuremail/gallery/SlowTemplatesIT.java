package org.azuremail.gallery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.gallery.GalleryTest.PAGE;

import java.time.Duration;
import java.util.List;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Templates of the greatest length, with the elements that take the renderer longest. */
class SlowTemplatesIT {

    @Test
    void theSlowestTemplatesRenderInTime() {
        String sections = "<mj-section><mj-column/></mj-section>".repeat(190);
        String deep = "<mj-text>" + "<table><tr><td>".repeat(8) + "</td></tr></table>".repeat(8) + "</mj-text>";
        String fonts = "<mj-text>" + "font-family:".repeat(99) + "x ".repeat(10_000) + "</mj-text>";
        String fields = "<mj-text>" + "{{list}}".repeat(3_600) + "</mj-text>";
        String breaks = "<mj-text>" + "<!--[if mso]>".repeat(1_500).replace("<", "&lt;") + "</mj-text>";
        for (String piece : List.of(deep, fonts, fields, breaks)) {
            Assertions.assertTimeout(Duration.ofSeconds(10), () -> assertThat(new Mjml(PAGE.formatted(piece)).fault())
                    .isEmpty());
        }
        Assertions.assertTimeout(Duration.ofSeconds(10), () -> assertThat(
                        new Mjml("<mjml><mj-body>" + sections + "</mj-body></mjml>").fault())
                .hasValueSatisfying(
                        reason -> assertThat(reason.is(MjmlFault.MJML_CONTENT)).isTrue()));
        for (String refused : List.of("<mj-text>" + "<b>".repeat(9_000), "{{#if logo}}".repeat(2_000))) {
            assertThat(new Mjml(PAGE.formatted(refused)).fault()).isPresent();
        }
        assertThat(new Mjml("x".repeat(Mjml.MAX_LENGTH + 1)).fault()).isPresent();
    }
}
