package org.azuremail.subscription.transfer;

import org.azuremail.reason.Reason;

/** Says why a file cannot be read any further, or why a row of it is not imported. */
final class ImportRefusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    ImportRefusal(ImportReason code, Object... values) {
        this(Reason.of(code, values));
    }

    ImportRefusal(Reason reason) {
        super(reason.stored(), null, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
