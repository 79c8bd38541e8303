package org.azuremail.web.layout;

/**
 * The requested page does not exist, or does not exist any more; answered with 404 and the text {@code error-page.<code>} of
 * messages.properties.
 */
public final class PageNotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorText errorText;

    /** The text that replaces the usual one of an error page. */
    public record ErrorText(String code, Object... values) {

        /** The request's attribute with the text for a filter's refusal. Such a page has no navigation. */
        public static final String FILTER_ATTRIBUTE = ErrorText.class.getName();

        /** The request's attribute with the address of the sign-in page, for the sender of a refused form who is signed out. */
        public static final String SIGN_IN_ATTRIBUTE = "sign-in";
    }

    public PageNotFoundException(String code, Object... values) {
        super(code);
        this.errorText = new ErrorText(code, values);
    }

    ErrorText errorText() {
        return errorText;
    }
}
