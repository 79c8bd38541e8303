package org.azuremail.content;

import java.util.List;
import org.azuremail.reason.Reason;

/** The faults that a subject or a body can have. The first value of those that name a part is its place in the texts' choice. */
public enum BodyFault implements Reason.Code {
    SUBJECT_MISSING,
    /** The most characters. */
    SUBJECT_LONG,
    SUBJECT_HALF_CHARACTER,
    SUBJECT_LINE_BREAK,
    /** Part, bytes, the most bytes; as texts, because the API always wrote them without separators. */
    BODY_TOO_LARGE,
    /** Part, the number of the byte. */
    BODY_NOT_UTF8,
    /** Part. */
    BODY_ZERO_BYTE,
    BODY_EMPTY,
    /** The most tags. */
    BODY_TAGS,
    /** The most opening brackets. */
    MARKDOWN_MARKS,
    BODY_NO_ELEMENT,
    BODY_WHOLE_PAGE,
    /** The most characters. */
    PREVIEW_LONG,
    /** Part, the field, all fields that the list has. */
    FIELD_UNKNOWN,
    /** Part, what is written. */
    FIELD_BROKEN,
    /** Part, what is written, the line. */
    FIELD_OPEN,
    /** As {@link #FIELD_OPEN}. */
    FIELD_OPEN_IN_SUBJECT;

    /** Returns the number by which the words of a fault choose the name of the part. */
    static int part(String field) {
        return List.of("subject", "html", "text", "markdown", "preview").indexOf(field);
    }
}
