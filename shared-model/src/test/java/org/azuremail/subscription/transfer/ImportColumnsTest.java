package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks how a header line is read, in steps that grow with its length even for a hostile one. */
class ImportColumnsTest {

    private static final int LONGEST = 128_000;

    @Test
    void asManyAttributesAsAListCanHaveAreImported() throws Exception {
        List<String> headings = new java.util.ArrayList<>(List.of("email"));
        headings.addAll(java.util.Collections.nCopies(MailingList.MAX_ATTRIBUTES, "a"));

        assertThat(ImportColumns.of(headings, CsvFile.Delimiter.COMMA).attributeNames())
                .hasSize(MailingList.MAX_ATTRIBUTES)
                .contains("a", "a_2", "a_50");

        headings.add("b");
        assertThatThrownBy(() -> ImportColumns.of(headings, CsvFile.Delimiter.COMMA))
                .hasMessage(Reason.of(ImportReason.FILE_COLUMNS, MailingList.MAX_ATTRIBUTES)
                        .stored());
    }

    /** Names of attributes have letters of ASCII only. */
    @Test
    void columnsWithAHeadingInAnotherAlphabetAreImported() throws Exception {
        List<String> headings = List.of("email", "Город", "都市", "", "*", "Größe");

        ImportColumns columns = ImportColumns.of(headings, CsvFile.Delimiter.COMMA);

        assertThat(columns.attributes()).containsExactly(null, "column", "column_2", null, null, "gre");
        List<String> refused = List.of("row", "email", "reason", "Город", "都市", "", "*", "Größe");
        assertThat(ImportColumns.of(refused, CsvFile.Delimiter.COMMA).attributeNames())
                .as("of the corrected file of refused rows")
                .isEqualTo(columns.attributeNames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "", "email", "state", "a.b", "-"})
    void theLongestHeaderLineIsScannedOnlyAFewTimes(String heading) {
        Looked headings = new Looked(heading);

        try {
            ImportColumns.of(headings, CsvFile.Delimiter.COMMA);
        } catch (ImportRefusedException refused) {
            assertThat(refused.getMessage()).hasSizeLessThan(500);
        }

        assertThat(headings.looks).isLessThan(10L * LONGEST);
    }

    @Test
    void fileWithTheLongestHeaderLineIsRefused() {
        String line = "email" + ",a".repeat(LONGEST) + "\nx@example.org\n";

        assertThatThrownBy(() -> CsvFile.open(
                        new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), FileEncoding.UTF_8))
                .isInstanceOf(ImportRefusedException.class)
                .hasMessage(Reason.of(ImportReason.FILE_COLUMNS, MailingList.MAX_ATTRIBUTES)
                        .stored());
    }

    private static final class Looked extends AbstractList<String> {

        private final String heading;
        private long looks;

        Looked(String heading) {
            this.heading = heading;
        }

        @Override
        public String get(int index) {
            looks++;
            return index == 0 ? "email" : heading;
        }

        @Override
        public int size() {
            return LONGEST;
        }
    }
}
