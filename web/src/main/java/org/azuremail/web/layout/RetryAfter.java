package org.azuremail.web.layout;

/** The header {@code Retry-After} (RFC 9110, 10.2.3) of an answer to a caller who is not served at the moment. */
public final class RetryAfter {

    public static final String SECONDS = "10";

    private RetryAfter() {}
}
