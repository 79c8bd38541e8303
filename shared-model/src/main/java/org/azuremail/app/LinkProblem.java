package org.azuremail.app;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A problem of the public URL in emails to recipients outside this machine. */
public enum LinkProblem {
    /** Only this machine or this network can reach the address, so recipients cannot unsubscribe. */
    LOCAL,
    /** The address is not https, but mail programs offer to unsubscribe in one click only for https (RFC 8058). */
    NOT_HTTPS;

    private static final Pattern LOCAL_ADDRESS = Pattern.compile(
            "127\\..*|10\\..*|192\\.168\\..*|169\\.254\\..*|172\\.(1[6-9]|2\\d|3[01])\\..*|0\\.0\\.0\\.0|\\[::1?]|\\[f[cde].*");
    private static final Pattern LOCAL_NAME =
            Pattern.compile("[^.]*|.*\\.(localhost|local|localdomain|internal|lan|home\\.arpa)");
    private static final Pattern ADDRESS = Pattern.compile("\\d+(\\.\\d+){3}|\\[.*]");

    /** Returns the worst problem of a URL; empty if it has none. */
    static Optional<LinkProblem> of(URI publicUrl) {
        String host = publicUrl.getHost() == null ? "" : publicUrl.getHost().toLowerCase(Locale.ROOT);
        boolean address = ADDRESS.matcher(host).matches();
        if ((address ? LOCAL_ADDRESS : LOCAL_NAME).matcher(host).matches()) {
            return Optional.of(LOCAL);
        }
        return "https".equals(publicUrl.getScheme()) ? Optional.empty() : Optional.of(NOT_HTTPS);
    }
}
