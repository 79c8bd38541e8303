package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.Values;
import org.junit.jupiter.api.Test;

class ValueCodecTest {

    private static final Values ALL = Values.builder()
            .put("Text", "wörds 🎉")
            .put("Empty", "")
            .put("Yes", true)
            .put("No", false)
            .put("Small", -1)
            .put("Smallest", Integer.MIN_VALUE)
            .put("Large", Long.MAX_VALUE)
            .put("Least", Long.MIN_VALUE)
            .put("Fraction", -Double.MIN_VALUE)
            .put("Now", Instant.parse("2026-11-21T10:15:30.123456Z"))
            .put("BeforeTheEpoch", Instant.parse("1601-01-01T00:00:00.000001Z"))
            .put("Bytes", new byte[] {0, -1, 127, -128})
            .build();

    @Test
    void encodedValuesAreDecoded() {
        assertThat(ValueCodec.decode(ValueCodec.encode(ALL))).isEqualTo(ALL);
        assertThat(ValueCodec.decode(ValueCodec.encode(Values.none()))).isEqualTo(Values.none());
    }

    @Test
    void rowOfTheFirstFormatCanBeRead() {
        byte[] first = {1, 1, 'N', 's', 2, 'h', 'i', 9, 'E', 'm', 'a', 'i', 'l', 'S', 'e', 'n', 't', 't'};

        assertThat(ValueCodec.decode(first))
                .isEqualTo(
                        Values.builder().put("N", "hi").put("EmailSent", true).build());
    }

    @Test
    void shortNameIsOneByteThatNeverChanges() {
        Values values = Values.builder()
                .put("MessageRef", 1L)
                .put("Generation", 0)
                .put("Outcome", "x")
                .put("Reopened", true)
                .put("Own", false)
                .build();

        assertThat(ValueCodec.encode(values))
                .containsExactly(2, 1, 'l', 2, 11, 'i', 0, 14, 's', 1, 'x', 34, 't', 0, 3, 'O', 'w', 'n', 'f');
        assertThat(ValueCodec.decode(ValueCodec.encode(values))).isEqualTo(values);
    }

    @Test
    void byteWithoutANameIsCorrupt() {
        for (byte[] bytes : new byte[][] {{2, 35, 't'}, {2, 127, 't'}, {2, -1, 't'}, {3, 1, 't'}}) {
            assertThatThrownBy(() -> ValueCodec.decode(bytes))
                    .isInstanceOf(StorageException.class)
                    .satisfies(e -> assertThat(((StorageException) e).reason()).isEqualTo(Reason.CORRUPT));
        }
    }

    @Test
    void truncatedRowIsCorruptOrHasFewerPropertiesButNoOthers() {
        byte[] whole = ValueCodec.encode(ALL);
        int corrupt = 0;
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            try {
                assertThat(ALL.asMap().entrySet())
                        .as("%d bytes", length)
                        .containsAll(
                                withoutBytes(ValueCodec.decode(part)).asMap().entrySet());
            } catch (StorageException e) {
                assertThat(e.reason()).as("%d bytes", length).isEqualTo(Reason.CORRUPT);
                corrupt++;
            }
        }
        assertThat(corrupt).isEqualTo(whole.length - ALL.asMap().size());
    }

    @Test
    void aLengthBeyondTheEndIsCorrupt() {
        byte[] longText = {1, 1, 'a', 's', (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7};
        byte[] longBytes = {1, 1, 'a', 'b', (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7};
        byte[] negative = {1, 1, 'a', 'b', (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 15};

        for (byte[] bytes : new byte[][] {longText, longBytes, negative}) {
            assertThatThrownBy(() -> ValueCodec.decode(bytes))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("cut off");
        }
    }

    private static Values withoutBytes(Values values) {
        return values.with("Bytes", null);
    }
}
