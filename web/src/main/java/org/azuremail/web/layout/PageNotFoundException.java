package org.azuremail.web.layout;

/**
 * The requested page does not exist or no longer exists. The answer is 404 with the text {@code error-page.<code>} of
 * messages.properties.
 */
public final class PageNotFoundException extends RuntimeException {

    private final ErrorText errorText;

    /** A text that replaces the usual one of an error page. */
    public record ErrorText(String code, Object... values) {

        /** The request attribute with the text of a filter's refusal. Such a page has no navigation. */
        public static final String FILTER_ATTRIBUTE = ErrorText.class.getName();

        /** The request attribute with the address of the sign-in page, for a signed-out sender of a refused form. */
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
