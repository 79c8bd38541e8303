package org.azuremail.web.layout;

/** A form's field that takes a file was sent as text; answered with 400. */
final class TextForAFile extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String field;

    TextForAFile(String field) {
        super(field);
        this.field = field;
    }

    String field() {
        return field;
    }
}
