package org.azuremail.gallery;

import org.azuremail.reason.Reason;

/** The reasons why a template is refused, or cannot be used. The first value of those that have a place is the line, from 1. */
public enum MjmlFault implements Reason.Code {
    /** The most characters. */
    MJML_LONG,
    /** Line, column, what the parser says. */
    MJML_NOT_XML,
    /** Line, the element, the element around it. */
    MJML_ELEMENT,
    /** Line, the element: its content would be read in another way than it is written. */
    MJML_ELEMENT_REFUSED,
    /** Line, the attribute: it would run a program. */
    MJML_ATTRIBUTE,
    /** Line, the most elements. */
    MJML_ELEMENTS,
    /** Line. */
    MJML_DEEP,
    /** Line, what is written, the fields that there are. */
    MJML_FIELD,
    /** Line, the field. */
    MJML_FIELD_PLACE,
    /** Line, what is written. */
    MJML_BLOCK,
    /** Line. */
    MJML_STYLE,
    /** The number of times that the content is there, and its field. */
    MJML_CONTENT,
    /** The text around it cannot be rendered; what the renderer says. */
    MJML_NOT_RENDERED,
    /** Its name. */
    MJML_MISSING
}
