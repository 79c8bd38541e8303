package org.azuremail.gallery;

import org.azuremail.reason.Reason;

/** The reasons why a template is refused or cannot be used. If a reason has a place, its first value is the line, from 1. */
public enum MjmlFault implements Reason.Code {
    /** The most characters. */
    MJML_LONG,
    /** Line, column, the parser's message. */
    MJML_NOT_XML,
    /** Line, the element, the element around it. */
    MJML_ELEMENT,
    /** Line, the element: browsers would parse its content differently. */
    MJML_ELEMENT_REFUSED,
    /** Line, the attribute: it would run code. */
    MJML_ATTRIBUTE,
    /** Line, the most elements. */
    MJML_ELEMENTS,
    /** Line. */
    MJML_DEEP,
    /** Line, the text, the known fields. */
    MJML_FIELD,
    /** Line, the field. */
    MJML_FIELD_PLACE,
    /** Line, the text. */
    MJML_BLOCK,
    /** Line. */
    MJML_STYLE,
    /** How often the content occurs, and its field. */
    MJML_CONTENT,
    /** The renderer's message. */
    MJML_NOT_RENDERED,
    /** Its name. */
    MJML_MISSING
}
