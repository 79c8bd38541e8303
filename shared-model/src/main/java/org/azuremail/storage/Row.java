package org.azuremail.storage;

/**
 * A row as it was read: its key, its properties and the ETag of exactly this version.
 *
 * @param etag opaque; of one row no two versions have the same, also not after delete and insert. Different rows may
 *     have the same: a time is one
 */
public record Row(Key key, String etag, Values values) {

    public String rowKey() {
        return key.row();
    }
}
