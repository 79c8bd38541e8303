package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvWriterTest {

    @ParameterizedTest
    @ValueSource(strings = {";x", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x", "=1;2", "-1,2"})
    void aCellThatASpreadsheetWouldEvaluateIsDefusedAndQuoted(String cell) throws IOException {
        assertThat(written("a@x.test", cell)).isEqualTo("a@x.test,\"'" + cell + "\"\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1", "+1", "-1", "@x"})
    void aFormulaWithoutSeparatorsNeedsNoQuotes(String cell) throws IOException {
        assertThat(written("a@x.test", cell)).isEqualTo("a@x.test,'" + cell + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {";", "\t", "\r", "\n", ";;", "; ;"})
    void aFormulaAfterAnotherSpreadsheetsSeparatorIsDefusedToo(String separator) throws IOException {
        for (String sign : List.of("=", "+", "-", "@", "＝", "＋", "－", "＠")) {
            assertThat(written("x" + separator + sign + "1")).isEqualTo("\"x" + separator + "'" + sign + "1\"\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;b", "a,b", "a\tb", "a\"b", "a\r\nb", "\u0000"})
    void cellsWithAnySeparatorAreQuotedAndReadBackUnchanged(String cell) throws IOException {
        String line = written("first", cell, "");

        assertThat(line).contains("\"");
        try (CSVParser parser = CSVFormat.RFC4180.parse(new StringReader(line))) {
            assertThat(parser.getRecords().get(0).toList()).containsExactly("first", cell, "");
        }
    }

    @Test
    void harmlessCellsAreUnchanged() throws IOException {
        assertThat(written("email", "Ann Smith", "a-b+c@x.test", "Zoë", " x "))
                .isEqualTo("email,Ann Smith,a-b+c@x.test,Zoë,\" x \"\r\n");
    }

    private static String written(String... cells) throws IOException {
        StringWriter out = new StringWriter();
        new CsvWriter(out).writeRow(List.of(cells));
        return out.toString();
    }
}
