package org.azuremail.storage.embedded;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.Values;

/**
 * The properties of a row as bytes: a format number, then for each property its name, a letter for its type, its value.
 * Lengths and whole numbers have as many bytes as they need.
 */
final class ValueCodec {

    private static final byte FORMAT = 1;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final byte STRING = 's';
    private static final byte TRUE = 't';
    private static final byte FALSE = 'f';
    private static final byte INTEGER = 'i';
    private static final byte LONG = 'l';
    private static final byte DOUBLE = 'd';
    private static final byte INSTANT = 'u';
    private static final byte BYTES = 'b';

    private static final KnownNames NAMES = new KnownNames();

    private ValueCodec() {}

    static byte[] encode(Values values) {
        ByteSink sink = new ByteSink(256);
        sink.put(FORMAT);
        values.asMap().forEach((name, value) -> {
            sink.putText(name);
            putValue(sink, value);
        });
        return sink.toBytes();
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

    /**
     * What was encoded.
     *
     * @throws StorageException CORRUPT when these bytes are nothing of ours
     */
    static Values decode(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (buffer.get() != FORMAT) {
                throw new IllegalArgumentException("its format is " + bytes[0]);
            }
            Values.Builder values = Values.builder();
            while (buffer.hasRemaining()) {
                values.put(name(buffer), value(buffer));
            }
            return values.build();
        } catch (RuntimeException e) {
            throw new StorageException(Reason.CORRUPT, "a row cannot be read: " + e.getMessage(), e);
        }
    }

    private static Object value(ByteBuffer buffer) {
        byte type = buffer.get();
        return switch (type) {
            case STRING -> text(buffer);
            case TRUE -> true;
            case FALSE -> false;
            case INTEGER -> (int) number(buffer);
            case LONG -> number(buffer);
            case DOUBLE -> Double.longBitsToDouble(buffer.getLong());
            case INSTANT -> instant(number(buffer));
            case BYTES -> block(buffer);
            default -> throw new IllegalArgumentException("it holds a value of type " + type);
        };
    }

    private static String name(ByteBuffer buffer) {
        int length = (int) unsigned(buffer);
        String name = NAMES.get(buffer.array(), buffer.arrayOffset() + buffer.position(), length);
        buffer.position(buffer.position() + length);
        return name;
    }

    private static String text(ByteBuffer buffer) {
        int length = (int) unsigned(buffer);
        String text =
                new String(buffer.array(), buffer.arrayOffset() + buffer.position(), length, StandardCharsets.UTF_8);
        buffer.position(buffer.position() + length);
        return text;
    }

    private static byte[] block(ByteBuffer buffer) {
        byte[] block = new byte[(int) unsigned(buffer)];
        buffer.get(block);
        return block;
    }

    /** Small negative numbers are short, too. */
    private static long number(ByteBuffer buffer) {
        long zigzag = unsigned(buffer);
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    private static long unsigned(ByteBuffer buffer) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = buffer.get();
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
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
