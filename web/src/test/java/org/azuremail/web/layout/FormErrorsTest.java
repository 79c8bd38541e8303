package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.i18n.LocaleContextHolder;

class FormErrorsTest {

    @AfterEach
    void forgetTheReader() {
        LocaleContextHolder.resetLocaleContext();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            en    | 1,000     | 1000
            en    | 1,000,000 | 1000000
            en    | 1,00      | 1,00
            en    | 1,0000    | 1,0000
            en    | 1,000,00  | 1,000,00
            en    | 1.000     | 1.000
            en    | 1,000.5   | 1000.5
            en    | many      | many
            de    | 1.000     | 1000
            de    | 1,000     | 1,000
            fr    | 10 000    | 10000
            ar-EG | ٣٠        | 30
            ar-EG | ١٬٠٠٠     | 1000
            fa    | ۱۲۳۴      | 1234
            hi    | १०        | 10
            """)
    void aNumberIsReadAsPagesShowIt(String language, String typed, String number) {
        LocaleContextHolder.setLocale(Locale.forLanguageTag(language));

        assertThat(FormErrors.number(" " + typed + " ")).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            en    | 1,234.5 | 1234.5
            en    | 1,5     | 1,5
            de    | 1,5     | 1.5
            de    | 1.5     | 1.5
            de    | 1.234,5 | 1234.5
            ar-EG | ١٫٥     | 1.5
            """)
    void aDecimalIsReadAsPagesShowIt(String language, String typed, String decimal) {
        LocaleContextHolder.setLocale(Locale.forLanguageTag(language));

        assertThat(FormErrors.decimal(typed)).isEqualTo(decimal);
    }
}
