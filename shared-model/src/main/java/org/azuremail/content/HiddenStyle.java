package org.azuremail.content;

import java.util.Locale;
import org.jsoup.nodes.Element;

/**
 * Whether mail programs show an element and its content, as far as its own attributes tell. Style sheets are not read.
 *
 * @param nothing whether the element and all its content are hidden
 * @param invisible whether its text is invisible; an element inside may be visible again
 * @param tiny whether its text has size zero; an element inside may have another size
 */
record HiddenStyle(boolean nothing, boolean invisible, boolean tiny) {

    static final HiddenStyle SHOWN = new HiddenStyle(false, false, false);

    private static final int MAX_NUMBER_LENGTH = 20;

    boolean hides() {
        return nothing || invisible || tiny;
    }

    HiddenStyle of(Element element) {
        String style = element.attr("style");
        HiddenStyle here = element.hasAttr("hidden") ? new HiddenStyle(true, invisible, tiny) : this;
        if (style.isEmpty()) {
            return here;
        }
        boolean outlookHides = false;
        for (String declaration : style.toLowerCase(Locale.ROOT).split(";", -1)) {
            int colon = declaration.indexOf(':');
            if (colon > 0) {
                String property = declaration.substring(0, colon).strip();
                String value = declaration
                        .substring(colon + 1)
                        .replace("!important", "")
                        .strip();
                outlookHides |= property.equals("mso-hide") && value.equals("all");
                here = here.with(property, value);
            }
        }
        return outlookHides && !here.nothing && !isForEverybodyElse(element)
                ? new HiddenStyle(true, here.invisible, here.tiny)
                : here;
    }

    private HiddenStyle with(String property, String value) {
        return switch (property) {
            case "display" -> new HiddenStyle(nothing || value.equals("none"), invisible, tiny);
            case "visibility" -> new HiddenStyle(nothing, !value.equals("visible"), tiny);
            case "opacity", "max-height" -> new HiddenStyle(nothing || isZero(value), invisible, tiny);
            case "font-size" -> new HiddenStyle(nothing, invisible, isZero(value) || (tiny && isRelative(value)));
            default -> this;
        };
    }

    /**
     * Returns whether the element is for programs other than Outlook: it has links or images, of which Outlook has its
     * own version.
     */
    private static boolean isForEverybodyElse(Element element) {
        return element.selectFirst("a, img") != null;
    }

    private static boolean isRelative(String size) {
        return (size.endsWith("em") && !size.endsWith("rem")) || size.endsWith("%") || size.equals("inherit");
    }

    private static boolean isZero(String value) {
        String start = value.substring(0, Math.min(value.length(), MAX_NUMBER_LENGTH));
        return start.indexOf('0') >= 0 && start.chars().noneMatch(c -> c >= '1' && c <= '9');
    }
}
