package org.azuremail.scheduler;

import java.util.Locale;
import java.util.Map;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;

/**
 * The data of a list that the fan-out needs: its From address, and how emails show its fields in its language.
 *
 * @param from the From address
 */
record SendingList(String from, ListFields fields, Locale language) {

    static SendingList of(MailingList list, FieldStore store) {
        ListFields fields = list.attributes().isEmpty() ? ListFields.NONE : store.of(list);
        return new SendingList(list.fromEmail().value(), fields, Locale.forLanguageTag(list.language()));
    }

    /** Returns the values as the recipient reads them; a month and day has no year. */
    Map<String, String> shown(Map<String, String> attributes) {
        return fields.shown(attributes, language);
    }
}
