package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of keys and values that are returned unchanged. */
interface TableValueContract extends TableContract {

    private Values throughTheStore(Values values) {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", values)));
        Values read = tables().get(table, "p", "r").orElseThrow().values();
        Page<Row> page = Rows.first(tables(), table, KeyRange.partition("p"), 1, null);
        assertThat(page.items().get(0).values()).isEqualTo(read);
        return read;
    }

    private void comesBack(Object value) {
        assertThat(throughTheStore(Values.of("V", value)).asMap().get("V")).isEqualTo(value);
    }

    @Test
    default void anyTextIsReadBack() {
        for (String text : List.of(
                "",
                " ",
                "plain",
                "line\r\nline\ttab",
                "quote ' \" \\ % + & < > /",
                "Grüße, Ελλάδα, 日本語, עברית",
                "\uD83D\uDE80 beyond the BMP \uDBFF\uDFFD",
                "e\u0301 stays two code points, \u00e9 one",
                "\u0001\u001f\u007f\u0085\u2028\ufeff",
                "x".repeat(Values.MAX_STRING_LENGTH),
                "ß".repeat(Values.MAX_STRING_LENGTH))) {
            comesBack(text);
        }
    }

    /** A single write takes another code path than a batch. */
    @Test
    default void anyTextIsReadBackFromABatch() {
        String table = newTable();
        String text =
                "\u2028a\u2029\u0001\u007f\u0085\ufeff{\"b\":1}\r\nContent-Length: 3\r\n\r\n\u2028\\u2028 ß\uD83D\uDE80\u2029";
        Values values =
                Values.builder().put("A", text).put("B", "\u2028").put("N", 7L).build();

        assertThat(tables().write(
                                table,
                                "p",
                                List.of(
                                        Write.insert("r", values),
                                        Write.upsert("s", values.with("B", "plain")),
                                        Write.insert("t", Values.of("N", 1L))))
                        .written())
                .isTrue();
        assertThat(tables().get(table, "p", "r").orElseThrow().values()).isEqualTo(values);
        assertThat(tables().get(table, "p", "s").orElseThrow().values()).isEqualTo(values.with("B", "plain"));
    }

    @Test
    default void anyNumberIsReadBack() {
        for (Object number : List.of(
                0,
                1,
                -1,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                0L,
                1L,
                -1L,
                1L << 40,
                Long.MAX_VALUE,
                Long.MIN_VALUE)) {
            comesBack(number);
        }
        for (double number : new double[] {0, 1.5, -1e300, Double.MIN_VALUE, Double.POSITIVE_INFINITY, Double.NaN}) {
            comesBack(number);
        }
    }

    @Test
    default void typesAreKept() {
        Values read = throughTheStore(Values.builder()
                .put("Int", 7)
                .put("Long", 7L)
                .put("Double", 7.0)
                .put("True", true)
                .put("False", false)
                .put("Text", "7")
                .build());
        assertThat(read.asMap())
                .containsEntry("Int", 7)
                .containsEntry("Long", 7L)
                .containsEntry("Double", 7.0)
                .containsEntry("True", true)
                .containsEntry("False", false)
                .containsEntry("Text", "7")
                .hasSize(6);
    }

    @Test
    default void instantsAreReadBackToTheMicrosecond() {
        for (String instant : List.of(
                "1601-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "1970-01-01T00:00:00Z",
                "2026-11-21T04:05:06.123456Z",
                "9999-12-31T23:59:59.999999Z")) {
            comesBack(Instant.parse(instant));
        }
        Instant fine = Instant.parse("2026-11-21T04:05:06.123456789Z");
        assertThat(throughTheStore(Values.of("V", fine)).instant("V"))
                .isEqualTo(Instant.parse("2026-11-21T04:05:06.123456Z"));
    }

    @Test
    default void bytesAreReadBack() {
        comesBack(new byte[0]);
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        comesBack(all);
        comesBack(new byte[Values.MAX_BINARY_LENGTH]);
    }

    @Test
    default void missingPropertyIsNullAndNotADefault() {
        Values read = throughTheStore(Values.none().with("There", "x").with("Gone", null));
        assertThat(read.asMap()).containsOnlyKeys("There");
        assertThat(read.string("Gone")).isNull();
        assertThat(read.bool("Gone", true)).isTrue();
        assertThat(read.number("Gone", 42)).isEqualTo(42);
    }

    @Test
    default void rowWithoutPropertiesIsARow() {
        assertThat(throughTheStore(Values.none())).isEqualTo(Values.none());
    }

    @Test
    default void rowWithManyPropertiesIsReadBack() {
        Values.Builder values = Values.builder();
        for (int i = 0; i < StorageLimits.MAX_PROPERTIES; i++) {
            values.put("P" + i, "v" + i);
        }
        assertThat(throughTheStore(values.build())).isEqualTo(values.build());
    }

    @Test
    default void keysMayHoldEveryAllowedCharacter() {
        StringBuilder all = new StringBuilder();
        for (char c = '!'; c <= '~'; c++) {
            if ("/\\#?%".indexOf(c) < 0) {
                all.append(c);
            }
        }
        keyComesBack(all.toString(), all.reverse().toString());
    }

    @Test
    default void keysMayBeVeryLong() {
        keyComesBack("p".repeat(KeyEscaper.MAX_KEY_LENGTH), "r".repeat(KeyEscaper.MAX_KEY_LENGTH));
    }

    @Test
    default void anyAddressCanBeEscapedAndUnescaped() {
        for (String address : List.of(
                "o'brien+tag/x?y#z%20@example.org",
                "\"a \\\" b\"@example.org", "jörg@müller.example", "\uD83D\uDE80@例え.jp", "..@-._=@x", " ", "%41+%2B")) {
            String key = "email:" + KeyEscaper.escape(address);
            keyComesBack(key, key);
            assertThat(KeyEscaper.unescape(key.substring("email:".length()))).isEqualTo(address);
        }
    }

    private void keyComesBack(String partition, String row) {
        String table = newTable();
        Key key = new Key(partition, row);
        written(tables().write(table, partition, Write.insert(row, n(1))));
        Row read = tables().get(table, key).orElseThrow();
        assertThat(read.key()).isEqualTo(key);
        assertThat(Rows.all(tables(), table, KeyRange.partition(partition))).containsExactly(read);
        assertThat(Rows.all(tables(), table, KeyRange.rows(partition, row, null)))
                .containsExactly(read);
        written(tables().write(table, partition, Write.replace(read, n(2))));
        written(tables().write(table, partition, List.of(Write.delete(row), Write.insert("!", n(3)))));
        assertThat(tables().get(table, key)).isEmpty();
    }
}
