package org.azuremail.web.layout;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * A notice at the top of the next page about the result of an action. It is shown once, and not again on reload.
 *
 * @param kind the kind, which determines colour and icon
 * @param code the code of the text {@code notice.<code>} in messages.properties
 * @param values the values for the placeholders in that text: text and numbers
 */
public record Notice(Kind kind, String code, List<Object> values) {

    /** The name of the flash attribute and of the attribute in a page's model. */
    static final String ATTRIBUTE = "notice";

    private static final int MAX_VALUE_LENGTH = 200;

    public enum Kind {
        DONE,
        INFO,
        PROBLEM
    }

    public Notice {
        // A cookie may name anything, and a page cannot show a part of a notice.
        Objects.requireNonNull(kind);
        Objects.requireNonNull(code);
        values = values.stream().map(Notice::shortened).toList();
    }

    public static Notice done(String code, Object... values) {
        return new Notice(Kind.DONE, code, texts(values));
    }

    /** Returns a notice for an action that did not fail, but had nothing to do or an unexpected result. */
    public static Notice info(String code, Object... values) {
        return new Notice(Kind.INFO, code, texts(values));
    }

    public static Notice problem(String code, Object... values) {
        return new Notice(Kind.PROBLEM, code, texts(values));
    }

    /** Redirects to a page of this service, which shows the notice. */
    public String on(String path) {
        ServletRequestAttributes now = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
        RequestContextUtils.getOutputFlashMap(now.getRequest()).put(ATTRIBUTE, this);
        return "redirect:" + path;
    }

    private static List<Object> texts(Object... values) {
        return Stream.of(values)
                .map(value -> value instanceof Number ? value : value.toString())
                .toList();
    }

    /** Shortens a value, because the notice is carried in a cookie and a subject has up to 998 characters. */
    private static Object shortened(Object value) {
        return value instanceof String text && text.length() > MAX_VALUE_LENGTH
                ? text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAX_VALUE_LENGTH - 1))) + "…"
                : value;
    }
}
