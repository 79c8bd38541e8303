package org.azuremail.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32;
import org.azuremail.journal.JournalLine.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalLineTest {

    /** Many checksums begin with zeros. Journals that the previous version wrote can be read as well. */
    @Test
    void everyLineBeginsWithItsSumInEightDigits() {
        for (int i = 0; i < 2000; i++) {
            JournalLine line = new JournalLine(Kind.SENT, "lot", "email:u" + i + "@b.example", "250 queued as ä" + i);
            String written = new String(line.bytes(), UTF_8);
            String said = "S\tlot\temail:u" + i + "@b.example\t250 queued as ä" + i;
            CRC32 sum = new CRC32();
            sum.update(said.getBytes(UTF_8));

            assertThat(written).isEqualTo(String.format("%08x%s\n", sum.getValue(), said));
            assertThat(JournalLine.parse(written.stripTrailing())).contains(line);
        }
    }

    @Test
    void aLineThatWasChangedIsNone() {
        String written = new String(new JournalLine(Kind.BEGUN, "lot", "email:a@b.example", "").bytes(), UTF_8)
                .replace("\n", "");

        assertThat(JournalLine.parse(written)).isPresent();
        assertThat(JournalLine.parse(written.replace("a@b", "c@b"))).isEmpty();
        assertThat(JournalLine.parse(written.substring(0, written.length() - 1)))
                .isEmpty();
    }

    /** A later version may write lines of other shapes. This version ignores them and reads the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"S\tlot\temail:a", "S\tlot\temail:a\t250\tmore", "Y\tlot\temail:a\t250", "what"})
    void aLineOfAnotherShapeIsNoneThoughItsSumIsRight(String said) {
        CRC32 sum = new CRC32();
        sum.update(said.getBytes(UTF_8));

        assertThat(JournalLine.parse(String.format("%08x%s", sum.getValue(), said)))
                .isEmpty();
    }
}
