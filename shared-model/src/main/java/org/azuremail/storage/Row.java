package org.azuremail.storage;

/**
 * A row as it was read: its key, its properties and the ETag of exactly this version.
 *
 * @param etag opaque; equal only for the same version of the same row, never used again, also not after delete and
 *     insert
 */
public record Row(Key key, String etag, Values values) {

    public String rowKey() {
        return key.row();
    }
}
