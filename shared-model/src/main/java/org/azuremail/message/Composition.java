package org.azuremail.message;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.content.Layout.Frame;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.list.MailingList;
import org.jspecify.annotations.Nullable;

/** Puts a draft into its template, in the style of its list, and checks it. */
record Composition(Gallery gallery, MessageBodies bodies) {

    /**
     * Checks a draft for an audience, in the style of the first list.
     *
     * @param audience without a problem
     * @param unfinished whether the draft is still being written
     * @param rendered the earlier rendering to show, whatever has become of its template; {@code null} to render
     *     the draft anew
     */
    Checked check(Draft draft, AudienceCheck.CheckedAudience audience, boolean unfinished, @Nullable String rendered) {
        return rendered == null
                ? check(draft, audience.lists().get(0), audience.attributes(), unfinished)
                : check(draft, audience.attributes(), unfinished, frame(rendered));
    }

    Checked check(Draft draft, MailingList list, Set<String> attributes, boolean unfinished) {
        String template = draft.layout().template();
        Optional<Frame> frame = template.isEmpty() ? Optional.empty() : gallery.frame(draft.layout(), list);
        return template.isEmpty() || frame.isPresent()
                ? check(draft, attributes, unfinished, frame.orElse(null))
                : new Checked.Refused(List.of(new Problem("template", MjmlFault.MJML_MISSING, template)));
    }

    private Checked check(Draft draft, Set<String> attributes, boolean unfinished, @Nullable Frame frame) {
        return unfinished ? bodies.checkUnfinished(draft, frame) : bodies.check(draft, attributes, frame);
    }

    private static Frame frame(String html) {
        return new Frame() {
            @Override
            public Buttons buttons() {
                return Buttons.OURS;
            }

            @Override
            public String around(String content) {
                return html;
            }
        };
    }
}
