package org.azuremail.linkcheck;

import org.azuremail.reason.Reason;

/** The results of checking a link. The parameters are named where there are any. */
public enum LinkFinding implements Reason.Code {
    /** The status is the parameter. */
    LINK_NOT_FOUND(Level.PROBLEM),
    /** The status is the parameter. */
    LINK_SERVER_ERROR(Level.PROBLEM),
    /** The host is the parameter. */
    LINK_NO_HOST(Level.PROBLEM),
    /** The words of the library are the parameter. */
    LINK_UNREACHABLE(Level.PROBLEM),
    /** The parameter is the time limit in seconds. */
    LINK_SLOW(Level.PROBLEM),
    /** The words of the library are the parameter. */
    LINK_CERTIFICATE(Level.PROBLEM),
    /** The parameter is the number of redirects that were followed. */
    LINK_REDIRECTS(Level.PROBLEM),
    /** The parameter is the address to which the server redirects. */
    LINK_REDIRECT_INVALID(Level.PROBLEM),
    LINK_INVALID(Level.PROBLEM),
    /** The host is the parameter. Its address is not on the public internet, and nothing was requested from it. */
    LINK_PRIVATE(Level.PROBLEM),
    /** The new address is the parameter. */
    LINK_MOVED(Level.HINT),
    /** The status is the parameter. The server may answer a browser nevertheless. */
    LINK_REFUSED(Level.HINT),
    LINK_WORKS(Level.WORKS),
    LINK_WITH_FIELD(Level.SKIPPED),
    /** The link leads to this installation. */
    LINK_OWN(Level.SKIPPED),
    /** The parameter is the largest number of characters that are requested. */
    LINK_LONG(Level.SKIPPED),
    /** The time for all links was over. */
    LINK_NO_TIME(Level.SKIPPED);

    public enum Level {
        PROBLEM,
        HINT,
        WORKS,
        SKIPPED
    }

    private final Level level;

    LinkFinding(Level level) {
        this.level = level;
    }

    public Level level() {
        return level;
    }

    Finding of(Object... values) {
        return new Finding(this, Reason.of(this, values));
    }

    /** A finding with its parameters. */
    public record Finding(LinkFinding code, Reason reason) {}
}
