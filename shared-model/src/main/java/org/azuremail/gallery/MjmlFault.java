package org.azuremail.gallery;

import org.azuremail.reason.Reason;

/** The reasons why a template is refused, or cannot be used. The first value of those that have a place is the line, from 1. */
public enum MjmlFault implements Reason.Code {
    /** The most characters. */
    TEMPLATE_LONG,
    /** Line, column, what the parser says. */
    TEMPLATE_NOT_XML,
    /** Line, the element, the element around it. */
    TEMPLATE_ELEMENT,
    /** Line, the element: its content would be read in another way than it is written. */
    TEMPLATE_ELEMENT_REFUSED,
    /** Line, the attribute: it would run a program. */
    TEMPLATE_ATTRIBUTE,
    /** Line, the most elements. */
    TEMPLATE_ELEMENTS,
    /** Line. */
    TEMPLATE_DEEP,
    /** Line, what is written, the fields that there are. */
    TEMPLATE_FIELD,
    /** Line, the field. */
    TEMPLATE_FIELD_PLACE,
    /** Line, what is written. */
    TEMPLATE_BLOCK,
    /** Line. */
    TEMPLATE_STYLE,
    /** The number of times that the content is there, and its field. */
    TEMPLATE_CONTENT,
    /** The text around it cannot be rendered; what the renderer says. */
    TEMPLATE_NOT_RENDERED,
    /** Its name. */
    TEMPLATE_MISSING
}
