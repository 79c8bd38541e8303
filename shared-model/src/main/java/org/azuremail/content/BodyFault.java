package org.azuremail.content;

import java.util.List;
import org.azuremail.reason.Reason;

/**
 * The faults of a subject or a body. If a fault names a part, its first parameter is the number by which the words
 * choose the part's name.
 */
public enum BodyFault implements Reason.Code {
    SUBJECT_MISSING,
    /** The parameter is the most characters. */
    SUBJECT_LONG,
    SUBJECT_HALF_CHARACTER,
    SUBJECT_LINE_BREAK,
    /**
     * The parameters are the part, its bytes, and the most bytes. The numbers are texts, because the API has always
     * written them without separators.
     */
    BODY_TOO_LARGE,
    /** The parameters are the part and the number of the byte. */
    BODY_NOT_UTF8,
    /** The parameter is the part. */
    BODY_ZERO_BYTE,
    BODY_EMPTY,
    /** The parameter is the most tags. */
    BODY_TAGS,
    /** The parameter is the most opening brackets. */
    MARKDOWN_MARKS,
    BODY_NO_ELEMENT,
    BODY_WHOLE_PAGE,
    /** The parameter is the most characters. */
    PREVIEW_LONG,
    PREVIEW_NO_TEMPLATE,
    /** The parameters are the part, the field, and all fields of the list. */
    FIELD_UNKNOWN,
    /** The parameters are the part and the text as written. */
    FIELD_BROKEN,
    /** The parameters are the part, the text as written, and the line. */
    FIELD_OPEN,
    /** The parameters are those of {@link #FIELD_OPEN}. */
    FIELD_OPEN_IN_SUBJECT;

    /** Returns the number by which the words of a fault choose the name of the part. */
    static int part(String field) {
        return List.of("subject", "html", "text", "markdown", "preview").indexOf(field);
    }
}
