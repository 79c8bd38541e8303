package org.azuremail.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32;
import org.azuremail.mail.Answer;

/**
 * One line of a journal's file: a checksum, a letter, then lot, row key and text, separated by tabs.
 *
 * @param lot the lot's name; in the first line of a file, the boot of the host in which it was written
 * @param row the email's row key; empty if the line is not about an email
 * @param text the provider's id or the reason
 */
record JournalLine(Kind kind, String lot, String row, String text) {

    private static final int SUM = 8;
    private static final HexFormat HEX = HexFormat.of();

    enum Kind {
        FILE('H'),
        OPENED('L'),
        BEGUN('B'),
        SENT('S'),
        FAILED('F'),
        NOT_TAKEN('N'),
        UNKNOWN('U'),
        FORGOTTEN('X');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        private static Optional<Kind> of(char letter) {
            return Arrays.stream(values()).filter(kind -> kind.letter == letter).findFirst();
        }
    }

    JournalLine {
        lot = oneLine(lot);
        row = oneLine(row);
        text = oneLine(text);
    }

    static JournalLine of(Kind kind, String lot) {
        return new JournalLine(kind, lot, "", "");
    }

    static JournalLine of(String lot, String row, Answer answer) {
        if (answer instanceof Answer.Accepted accepted) {
            String id = accepted.providerId();
            return new JournalLine(Kind.SENT, lot, row, id == null ? "" : id);
        }
        if (answer instanceof Answer.Refused refused) {
            return new JournalLine(Kind.FAILED, lot, row, refused.reason().stored());
        }
        return new JournalLine(answer instanceof Answer.Unknown ? Kind.UNKNOWN : Kind.NOT_TAKEN, lot, row, "");
    }

    /** Removes control characters: keys contain none, and a server's text means the same without them. */
    private static String oneLine(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ') {
                return text.replaceAll("\\p{Cntrl}", " ");
            }
        }
        return text;
    }

    byte[] bytes() {
        String content = kind.letter + "\t" + lot + "\t" + row + "\t" + text;
        return (sum(content) + content + "\n").getBytes(UTF_8);
    }

    /** Parses a line; empty if it is not a journal line or is damaged. */
    static Optional<JournalLine> parse(String line) {
        if (line.length() <= SUM || !sum(line.substring(SUM)).equals(line.substring(0, SUM))) {
            return Optional.empty();
        }
        String[] parts = line.substring(SUM).split("\t", -1);
        return parts.length != 4
                ? Optional.empty()
                : Kind.of(parts[0].charAt(0)).map(kind -> new JournalLine(kind, parts[1], parts[2], parts[3]));
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(UTF_8));
        return HEX.toHexDigits(sum.getValue(), SUM);
    }
}
