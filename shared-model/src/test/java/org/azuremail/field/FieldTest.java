package org.azuremail.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.field.Field.FieldValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FieldTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TEXT      | ' Ulm '           | Ulm
            NUMBER    | 007.50            | 7.5
            NUMBER    | +0                | 0
            NUMBER    | -100              | -100
            NUMBER    | 1,5               |
            NUMBER    | 1e9               |
            NUMBER    | 1234567890123456  |
            NUMBER    | ١٢                |
            YES_NO    | TRUE              | yes
            YES_NO    | n                 | no
            YES_NO    | maybe             |
            DATE      | 2024-02-29        | 2024-02-29
            DATE      | 2023-02-29        |
            DATE      | 29 february 2024  | 2024-02-29
            DATE      | Feb 29, 2024      | 2024-02-29
            DATE      | 1.2.2024          | 2024-02-01
            DATE      | 02/03/2024        |
            DATE      | 12024-01-01       |
            DATE      | 0000-01-01        |
            MONTH_DAY | 29 February       | 2000-02-29
            MONTH_DAY | FEB 29            | 2000-02-29
            MONTH_DAY | 02-29             | 2000-02-29
            MONTH_DAY | --02-29           | 2000-02-29
            MONTH_DAY | 29.2.             | 2000-02-29
            MONTH_DAY | 1987-05-17        | 2000-05-17
            MONTH_DAY | 30 February       |
            MONTH_DAY | 02-30             |
            MONTH_DAY | 1987-02-29        |
            MONTH_DAY | 31.4.             |
            MONTH_DAY | 2                 |
            CHOICE    | RED               | Red
            CHOICE    | Yellow            |
            """)
    void eachTypeReadsItsValuesAndRefusesOthers(FieldType type, String typed, String stored) {
        Field field = field(type);

        FieldValue read = field.parse(typed);

        if (stored == null) {
            assertThat(read).isInstanceOf(FieldValue.Invalid.class);
            assertThat(((FieldValue.Invalid) read).reason().words()).startsWith("Test ");
        } else {
            assertThat(read).isEqualTo(new FieldValue.Valid(stored));
            assertThat(field.parse(stored)).as("read again").isEqualTo(read);
            assertThat(field.parse(type.plain(stored)))
                    .as("from a file of ours")
                    .isEqualTo(read);
            assertThat(field.parse(type.shown(stored, Locale.ENGLISH)))
                    .as("as it is shown")
                    .isEqualTo(read);
        }
    }

    /** A67, B7. */
    @Test
    void aMonthAndDayNeverShowsAYear() {
        for (String value : List.of("2000-02-29", "1987-05-17")) {
            assertThat(FieldType.MONTH_DAY.plain(value)).doesNotContain("2000", "1987");
            assertThat(FieldType.MONTH_DAY.shown(value, Locale.GERMAN)).doesNotContain("2000", "1987");
        }
        assertThat(FieldType.MONTH_DAY.shown("2000-02-29", Locale.ENGLISH)).isEqualTo("29 February");
        assertThat(FieldType.MONTH_DAY.shown("never", Locale.ENGLISH)).isEqualTo("never");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NUMBER    | -999999999999999.999999, -10, -9.5, -0.000001, 0, 0.000001, 2, 10, 999999999999999
            DATE      | 0001-01-01, 1999-12-31, 2000-01-01, 9999-12-31
            MONTH_DAY | 01-01, 02-28, 29 February, 03-01, 12-31
            TEXT      | aachen, Bonn, köln, Ulm
            """)
    void sortableFormsSortAsPeopleDo(FieldType type, String inOrder) {
        List<String> sortable = Stream.of(inOrder.split(", "))
                .map(value -> type.sortable(value).orElseThrow())
                .toList();

        assertThat(sortable).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TEXT      | ' New  Y'  | New York     | New Orleans
            NUMBER    | 7          | 7.00         | 70
            DATE      | 2024-02    | 2024-02-29   | 2024-12-02
            DATE      | 1.2.2024   | 2024-02-01   | 2024-02-10
            MONTH_DAY | february   | 02-29        | 12-02
            MONTH_DAY | 2          | 02-29        | 12-02
            MONTH_DAY | 29 Feb     | 02-29        | 02-28
            CHOICE    | re         | Red          | Green
            """)
    void peopleAreFoundByHowAValueBegins(FieldType type, String typed, String found, String other) {
        String beginning = type.searchPrefix(typed).orElseThrow();

        assertThat(type.sortable(found).orElseThrow()).startsWith(beginning);
        assertThat(type.sortable(other).orElseThrow()).doesNotStartWith(beginning);
    }

    @Test
    void aMarkIsReadAsWrittenWithoutTypesOfLaterVersions() {
        IndexMark mark = new IndexMark(7, Map.of("birthday", FieldType.MONTH_DAY, "city", FieldType.TEXT));

        assertThat(mark.stored()).isEqualTo("7;birthday=m,city=t");
        assertThat(IndexMark.read(mark.stored())).isEqualTo(mark);
        assertThat(IndexMark.read("7;birthday=m,city=t,shape=z")).isEqualTo(mark);
        assertThat(IndexMark.read("8;")).isEqualTo(new IndexMark(8, Map.of()));
        assertThat(IndexMark.read(IndexMark.NONE.stored())).isEqualTo(IndexMark.NONE);
    }

    static Field field(FieldType type) {
        List<String> options = type == FieldType.CHOICE ? List.of("Red", "Green") : List.of();
        return new Field("test", "Test", type, options, false, false);
    }

    /** In Turkish, i and ı are different letters, although both have the capital I for a comparison without case. */
    @Test
    void anOptionIsReadAsItselfEvenIfAnotherOneDiffersByCaseOnly() {
        List<String> options = List.of("kir", "kır");
        assertThat(Field.areOptions(options)).isTrue();
        Field terrain = new Field("terrain", "Terrain", FieldType.CHOICE, options, false, false);

        assertThat(options)
                .allSatisfy(option -> assertThat(terrain.parse(option)).isEqualTo(new FieldValue.Valid(option)));
        assertThat(terrain.parse("KIR")).isEqualTo(new FieldValue.Valid("kir"));
    }

    /** A job converts the values of a large list later, or never if it is cancelled. */
    @ParameterizedTest
    @EnumSource(
            value = FieldType.class,
            names = {"DATE", "TEXT"})
    void aFormerMonthAndDayShowsNoYearBeforeItIsConverted(FieldType type) {
        ListFields fields = new ListFields(List.of(field(type)), Set.of(), Set.of("test"), 2);

        assertThat(fields.shown(Map.of("test", "2000-05-17"), Locale.ENGLISH)).containsEntry("test", "05-17");
        assertThat(fields.plain(Map.of("test", "2000-05-17"))).containsEntry("test", "05-17");
    }
}
