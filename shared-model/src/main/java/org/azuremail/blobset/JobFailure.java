package org.azuremail.blobset;

import org.azuremail.reason.Reason;

/** A job cannot succeed, however often it is tried. */
public final class JobFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    public JobFailure(Reason reason) {
        super(reason.words());
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
