package org.azuremail.sender;

/** The message's body is not in the blob storage; nothing can be sent until somebody mends that. */
final class BodyMissing extends RuntimeException {

    BodyMissing(String blob) {
        super(blob, null, false, false);
    }
}
