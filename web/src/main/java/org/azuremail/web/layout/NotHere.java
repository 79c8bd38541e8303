package org.azuremail.web.layout;

/**
 * The page that was asked for does not exist, or no longer does; answered with 404 and the text {@code error-page.<code>}
 * of messages.properties.
 */
public final class NotHere extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Told told;

    /** The text of an error page in place of its usual one. */
    public record Told(String code, Object[] values) {

        /** The request's attribute in which a filter leaves what the page of its refusal says. Such a page has no navigation. */
        public static final String OF_FILTER = Told.class.getName();
    }

    public NotHere(String code, Object... values) {
        super(code);
        this.told = new Told(code, values);
    }

    Told told() {
        return told;
    }
}
