package org.azuremail.storage;

import java.io.InputStream;
import java.util.function.LongFunction;

/**
 * The content of a blob, fetched chunk by chunk as it is read. Not thread-safe. A SequenceInputStream is not used,
 * because it fetches all remaining chunks when it is closed.
 */
final class ChunkedContent extends InputStream {

    private final long size;
    private final LongFunction<byte[]> chunks;
    private byte[] chunk;
    private int position;
    private long fetched;

    /** @param chunks fetches the chunk that begins at a position; may throw a {@link StorageException} */
    ChunkedContent(long size, byte[] first, LongFunction<byte[]> chunks) {
        this.size = size;
        this.chunks = chunks;
        this.chunk = first;
        this.fetched = first.length;
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
        if (position == chunk.length) {
            if (fetched == size) {
                return -1;
            }
            chunk = chunks.apply(fetched);
            fetched += chunk.length;
            position = 0;
        }
        int read = Math.min(count, chunk.length - position);
        System.arraycopy(chunk, position, target, offset, read);
        position += read;
        return read;
    }

    @Override
    public int available() {
        return chunk.length - position;
    }
}
