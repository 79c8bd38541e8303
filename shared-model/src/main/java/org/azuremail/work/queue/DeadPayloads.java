package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.azuremail.storage.StorageException;

/** The texts of dead letters that are too large for a row, by the id of their dead letter. */
public final class DeadPayloads {

    public static final String CONTAINER = "azuremail-dead-letters";

    private static final int LARGEST_IN_ROW = 48 * 1024;
    private static final int SHOWN = 1000;

    private final Container blobs;

    DeadPayloads(BlobStore blobs) {
        this.blobs = new Container(blobs, CONTAINER);
    }

    static boolean isLarge(String text) {
        return text.length() > LARGEST_IN_ROW;
    }

    /** The text that the row holds: the text, or how a large one begins. */
    static String kept(String text) {
        return isLarge(text) ? Reason.cut(text, SHOWN) + "… (" + bytes(text).length + " bytes)" : text;
    }

    void put(String id, String text) {
        blobs.put(id, text);
    }

    String get(String id) {
        return blobs.text(id)
                .orElseThrow(() -> new StorageException(
                        StorageException.Reason.CORRUPT, "the payload of dead letter " + id + " is gone", null));
    }

    void delete(String id) {
        blobs.delete(id);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
