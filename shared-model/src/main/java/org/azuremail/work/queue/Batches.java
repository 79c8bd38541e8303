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

/** The texts of many items as one payload: each as its length in bytes, four bytes of it, and its UTF-8. */
final class Batches {

    /** The most items that travel together. */
    static final int MOST_ITEMS = 10_000;

    /** The most bytes that travel together, unless one item alone is larger. */
    static final int MOST_BYTES = 16 * 1024 * 1024;

    private Batches() {}

    /** In their order, as few batches as the limits allow, with at most so many items each. */
    static List<List<String>> split(List<String> texts, int most) {
        List<List<String>> batches = new ArrayList<>();
        List<String> batch = new ArrayList<>();
        long bytes = 0;
        for (String text : texts) {
            long size = 3L * text.length();
            if (!batch.isEmpty() && (batch.size() == most || bytes + size > MOST_BYTES)) {
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

    /** @throws IllegalArgumentException when it is no batch */
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
