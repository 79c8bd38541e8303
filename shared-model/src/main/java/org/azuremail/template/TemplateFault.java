package org.azuremail.template;

import org.azuremail.reason.Reason;

/**
 * A reason why a template is refused.
 *
 * @param line from 1; 0 for the whole template
 * @param detail a parameter of the code's words
 */
public record TemplateFault(int line, Code code, String detail) {

    public enum Code implements Reason.Code {
        /** The parameters are a line and the reason. */
        TEMPLATE_LINE,
        /** The template exceeds its limit, which is the detail. */
        TEMPLATE_TOO_LONG,
        /** A text between double braces that is neither a field nor a block. */
        TEMPLATE_NOT_A_TAG,
        /** Double braces that are not closed. */
        TEMPLATE_NOT_CLOSED,
        TEMPLATE_UNKNOWN_FIELD,
        /** A block without an end. */
        TEMPLATE_BLOCK_OPEN,
        /** An end or an else without its block. */
        TEMPLATE_BLOCK_MISSING,
        /** Too many nested blocks, or nested lists. */
        TEMPLATE_TOO_DEEP,
        /** A block that begins in one element and ends in another. */
        TEMPLATE_BLOCK_ACROSS,
        /** A field where no value can be written safely. */
        TEMPLATE_BAD_PLACE,
        /** An attribute with a value that has no quotation marks around it. */
        TEMPLATE_NO_QUOTES,
        TEMPLATE_ELEMENT,
        TEMPLATE_ATTRIBUTE,
        TEMPLATE_ADDRESS,
        /** A required element is missing; the detail is its selector. */
        TEMPLATE_MISSING,
        /** A file that cannot be read. */
        TEMPLATE_UNREADABLE
    }

    /** Returns the reason, with its line if there is one. */
    public Reason reason() {
        Reason reason = Reason.of(code, detail);
        return line == 0 ? reason : Reason.of(Code.TEMPLATE_LINE, line, reason);
    }
}
