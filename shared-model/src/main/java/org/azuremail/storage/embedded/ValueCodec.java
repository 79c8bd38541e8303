package org.azuremail.storage.embedded;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.Values;

/**
 * Encodes the properties of a row as bytes: a format number, then the name ({@link ShortNames}), a letter for the type,
 * and the value of each property. Lengths and whole numbers have as many bytes as they need. Rows of the first format
 * have no short names, and can still be decoded.
 */
final class ValueCodec {

    private static final byte FORMAT = 2;
    private static final byte WITHOUT_SHORT_NAMES = 1;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final byte STRING = 's';
    private static final byte TRUE = 't';
    private static final byte FALSE = 'f';
    private static final byte INTEGER = 'i';
    private static final byte LONG = 'l';
    private static final byte DOUBLE = 'd';
    private static final byte INSTANT = 'u';
    private static final byte BYTES = 'b';

    private ValueCodec() {}

    static byte[] encode(Values values) {
        ByteSink sink = new ByteSink(256);
        sink.put(FORMAT);
        values.forEach((name, value) -> {
            putName(sink, name);
            putValue(sink, value);
        });
        return sink.toBytes();
    }

    private static void putName(ByteSink sink, String name) {
        byte place = ShortNames.of(name);
        sink.put(place);
        if (place == ShortNames.NONE) {
            sink.putText(name);
        }
    }

    private static void putValue(ByteSink sink, Object value) {
        if (value instanceof String text) {
            sink.put(STRING);
            sink.putText(text);
        } else if (value instanceof Boolean bool) {
            sink.put(bool ? TRUE : FALSE);
        } else if (value instanceof Integer number) {
            sink.put(INTEGER);
            sink.putNumber(number);
        } else if (value instanceof Long number) {
            sink.put(LONG);
            sink.putNumber(number);
        } else if (value instanceof Double number) {
            sink.put(DOUBLE);
            sink.putFixed(Double.doubleToRawLongBits(number));
        } else if (value instanceof Instant instant) {
            sink.put(INSTANT);
            sink.putNumber(micros(instant));
        } else {
            sink.put(BYTES);
            sink.putBlock((byte[]) value);
        }
    }

    /** @throws StorageException CORRUPT if these bytes are not encoded values */
    static Values decode(byte[] bytes) {
        try {
            ByteBuffer source = ByteBuffer.wrap(bytes);
            byte format = source.get();
            if (format != FORMAT && format != WITHOUT_SHORT_NAMES) {
                throw new IllegalArgumentException("its format is " + bytes[0]);
            }
            Values.Builder values = Values.builder();
            while (source.hasRemaining()) {
                values.put(name(source, format), value(source));
            }
            return values.build();
        } catch (RuntimeException e) {
            throw new StorageException(Reason.CORRUPT, "a row cannot be read: " + e.getMessage(), e);
        }
    }

    private static String name(ByteBuffer source, byte format) {
        byte place = format == WITHOUT_SHORT_NAMES ? ShortNames.NONE : source.get();
        return place == ShortNames.NONE ? text(source) : ShortNames.name(place);
    }

    private static Object value(ByteBuffer source) {
        byte type = source.get();
        return switch (type) {
            case STRING -> text(source);
            case TRUE -> true;
            case FALSE -> false;
            case INTEGER -> (int) number(source);
            case LONG -> number(source);
            case DOUBLE -> source.getDouble();
            case INSTANT -> instant(number(source));
            case BYTES -> block(source);
            default -> throw new IllegalArgumentException("it holds a value of type " + type);
        };
    }

    private static String text(ByteBuffer source) {
        int length = length(source);
        int begin = source.position();
        source.position(begin + length);
        return new String(source.array(), source.arrayOffset() + begin, length, StandardCharsets.UTF_8);
    }

    private static byte[] block(ByteBuffer source) {
        byte[] block = new byte[length(source)];
        source.get(block);
        return block;
    }

    private static int length(ByteBuffer source) {
        long length = unsigned(source);
        if (length < 0 || length > source.remaining()) {
            throw new IllegalArgumentException("a value of " + length + " bytes is cut off");
        }
        return (int) length;
    }

    private static long number(ByteBuffer source) {
        long zigzag = unsigned(source);
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    private static long unsigned(ByteBuffer source) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = source.get();
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number does not end");
    }

    static long micros(Instant instant) {
        return instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / 1000;
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
    }
}
