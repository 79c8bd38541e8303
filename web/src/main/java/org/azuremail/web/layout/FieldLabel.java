package org.azuremail.web.layout;

import org.springframework.context.support.DefaultMessageSourceResolvable;

/** The label of a form's field, as a value of a message that names the field. */
public final class FieldLabel {

    private FieldLabel() {}

    public static DefaultMessageSourceResolvable of(String field) {
        return new DefaultMessageSourceResolvable("label." + field);
    }
}
