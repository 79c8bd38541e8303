package org.azuremail.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.junit.jupiter.api.Test;

class SendingListTest {

    /** Checks A67. */
    @Test
    void anEmailShowsAMonthAndDayInTheListsLanguageWithoutAYear() {
        ListFields fields =
                ListFields.NONE.with(new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), false, false));
        SendingList german = new SendingList("a@example.org", fields, Locale.GERMAN);

        assertThat(german.shown(Map.of("birthday", "2000-02-29", "city", "2000-02-29")))
                .isEqualTo(Map.of("birthday", "29 Februar", "city", "2000-02-29"));
    }
}
