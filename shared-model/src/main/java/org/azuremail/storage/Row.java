package org.azuremail.storage;

/**
 * A row as it was read: its key, its properties and the ETag of exactly this version.
 *
 * @param etag opaque; no two versions of a row have the same one, not even after a delete and an insert. Different rows may
 *     have the same one, for example if it is a time
 */
public record Row(Key key, String etag, Values values) {

    public String rowKey() {
        return key.row();
    }
}
