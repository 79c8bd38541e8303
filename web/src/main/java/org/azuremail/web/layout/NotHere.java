package org.azuremail.web.layout;

/** What the address names does not exist (any more); answered with 404 and this sentence. */
public final class NotHere extends RuntimeException {

    public NotHere(String sentence) {
        super(sentence);
    }
}
