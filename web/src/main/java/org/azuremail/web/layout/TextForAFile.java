package org.azuremail.web.layout;

/** A form's field that takes a file was sent as text; answered with 400 and this sentence. */
final class TextForAFile extends RuntimeException {

    TextForAFile(String field) {
        super("The field \u201c" + field + "\u201d takes a file, and text was sent instead, so nothing was saved. "
                + "Please go back and choose the file; a program sends it as multipart/form-data with a file name.");
    }
}
