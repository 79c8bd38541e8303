package org.azuremail.content;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
        Map<String, String> declared = declarations(style);
        for (Map.Entry<String, String> one : declared.entrySet()) {
            here = here.with(one.getKey(), one.getValue());
        }
        boolean outlookHides = "all".equals(declared.get("mso-hide"));
        return outlookHides && !here.nothing && !isForEverybodyElse(element)
                ? new HiddenStyle(true, here.invisible, here.tiny)
                : here;
    }

    /** Returns the value of each property: the last one, or the last important one if there is any. */
    private static Map<String, String> declarations(String style) {
        Map<String, String> values = new LinkedHashMap<>();
        Set<String> important = new HashSet<>();
        for (String declaration : style.toLowerCase(Locale.ROOT).split(";", -1)) {
            int colon = declaration.indexOf(':');
            if (colon > 0) {
                String property = declaration.substring(0, colon).strip();
                String[] value = declaration.substring(colon + 1).split("!", 2);
                if (value.length > 1) {
                    important.add(property);
                }
                if (value.length > 1 || !important.contains(property)) {
                    values.put(property, value[0].strip());
                }
            }
        }
        return values;
    }

    private HiddenStyle with(String property, String value) {
        return switch (property) {
            case "display" -> new HiddenStyle(nothing || value.equals("none"), invisible, tiny);
            case "visibility" ->
                switch (value) {
                    case "hidden", "collapse" -> new HiddenStyle(nothing, true, tiny);
                    case "visible", "initial" -> new HiddenStyle(nothing, false, tiny);
                    default -> this;
                };
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
