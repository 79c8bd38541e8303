package org.azuremail.storage.embedded;

import java.io.InputStream;
import java.sql.ResultSet;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/**
 * Reads a content chunk by chunk, each in a short read of its own: a slow reader holds nothing up. When the blob is
 * overwritten or deleted meanwhile, reading fails.
 */
final class BlobContent extends InputStream {

    private final Readers readers;
    private final BlobInfo info;
    private final long content;
    private byte[] chunk;
    private int number;
    private int position;
    private long left;

    BlobContent(Readers readers, BlobInfo info, long content, byte[] first) {
        this.readers = readers;
        this.info = info;
        this.content = content;
        this.chunk = first;
        this.left = info.size();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        if (position == chunk.length) {
            chunk = nextChunk();
            position = 0;
        }
        int read = Math.min(count, chunk.length - position);
        System.arraycopy(chunk, position, target, offset, read);
        position += read;
        left -= read;
        return read;
    }

    @Override
    public int available() {
        return chunk.length - position;
    }

    private byte[] nextChunk() {
        number++;
        String sql = "SELECT bytes FROM blob_chunk WHERE content = ? AND number = ?";
        return readers.read("read blob " + info.name(), session -> {
            try (ResultSet result = session.statement(sql, content, number).executeQuery()) {
                if (!result.next()) {
                    throw new StorageException(
                            Reason.UNAVAILABLE, "blob " + info.name() + " was changed while it was read", null);
                }
                return result.getBytes(1);
            }
        });
    }
}
