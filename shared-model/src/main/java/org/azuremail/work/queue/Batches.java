package org.azuremail.work.queue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs the texts of many items into one payload. Each text is its length in bytes, as a four-byte number, and its
 * UTF-8.
 */
final class Batches {

    /** The most items in one batch. */
    static final int MAX_ITEMS = 10_000;

    /** The most bytes in one batch, unless a single item is larger. */
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private Batches() {}

    /**
     * Splits the texts, in their order, into as few batches as the limits allow.
     *
     * @param max the most items in a batch
     */
    static List<List<String>> split(List<String> texts, int max) {
        List<List<String>> batches = new ArrayList<>();
        List<String> batch = new ArrayList<>();
        long bytes = 0;
        for (String text : texts) {
            long size = 3L * text.length();
            if (!batch.isEmpty() && (batch.size() == max || bytes + size > MAX_BYTES)) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(text);
            bytes += size;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    static byte[] pack(List<String> texts) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(packed)) {
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return packed.toByteArray();
    }

    /** @throws IllegalArgumentException if the payload is not a batch */
    static List<String> unpack(byte[] payload) {
        List<String> texts = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
            while (in.available() > 0) {
                int length = in.readInt();
                if (length < 0 || length > in.available()) {
                    throw new IllegalArgumentException("no batch: item " + texts.size() + " is cut off");
                }
                texts.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("no batch: item " + texts.size() + " is cut off", e);
        }
        return texts;
    }
}
