package org.azuremail.gallery;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.gallery.MjmlReader.Refusal;

/** The elements of a template, and which of them may contain which. */
final class MjmlElements {

    private static final Set<String> PIECES =
            Set.of("mj-text", "mj-image", "mj-button", "mj-divider", "mj-spacer", "mj-table", "mj-social", "mj-raw");

    /** The children that each element may have. Other elements contain HTML, or nothing. */
    private static final Map<String, Set<String>> CHILDREN = Map.of(
            "", Set.of("mjml"),
            "mjml", Set.of("mj-head", "mj-body"),
            "mj-head", Set.of("mj-title", "mj-preview", "mj-attributes", "mj-breakpoint", "mj-style", "mj-raw"),
            "mj-body", Set.of("mj-wrapper", "mj-section", "mj-hero", "mj-raw"),
            "mj-wrapper", Set.of("mj-section", "mj-hero", "mj-raw"),
            "mj-section", Set.of("mj-column", "mj-group", "mj-raw"),
            "mj-group", Set.of("mj-column", "mj-raw"),
            "mj-column", PIECES,
            "mj-hero", PIECES,
            "mj-social", Set.of("mj-social-element", "mj-raw"));

    private static final Set<String> OF_HTML =
            Set.of("mj-text", "mj-button", "mj-table", "mj-raw", "mj-social-element");

    /** Elements whose content browsers parse differently from XML. */
    private static final Set<String> REFUSED =
            Set.of(("script style title textarea xmp iframe noembed noframes noscript plaintext template "
                            + "svg math html head body")
                    .split(" "));

    private static final Set<String> EMPTY = Set.of("br", "hr", "img", "col", "wbr", "meta", "link", "area", "base");

    private MjmlElements() {}

    /**
     * Refuses an element that is not allowed.
     *
     * @param open the elements around it, the innermost first
     * @throws Refusal if it is not allowed there, or anywhere
     */
    static void requireAllowed(String name, Collection<String> open, int line) {
        String around = open.isEmpty() ? "" : open.iterator().next();
        boolean inHtml = open.stream().anyMatch(OF_HTML::contains);
        boolean ofMjml = name.equals("mjml") || name.startsWith("mj-");
        boolean allowed = open.contains("mj-attributes")
                ? ofMjml
                : inHtml ? !ofMjml : CHILDREN.getOrDefault(around, Set.of()).contains(name);
        if (!allowed) {
            throw new Refusal(MjmlFault.MJML_ELEMENT, line, name, around.isEmpty() ? "template" : around);
        }
        if (REFUSED.contains(name) || !name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new Refusal(MjmlFault.MJML_ELEMENT_REFUSED, line, name);
        }
    }

    /** Returns whether an element has no content and no end tag in HTML. */
    static boolean isEmpty(String name) {
        return EMPTY.contains(name);
    }

    /** Returns whether an element contains only elements of MJML, and no text. */
    static boolean holdsNoText(String name) {
        return CHILDREN.containsKey(name);
    }
}
