package org.azuremail.storage;

/**
 * A row as it was read: its key, its properties and the ETag of exactly this version.
 *
 * @param etag an opaque value. No two versions of a row have the same ETag, even if the row is deleted and inserted
 *     again. Different rows may have the same ETag, for example if it is a time
 */
public record Row(Key key, String etag, Values values) {

    public String rowKey() {
        return key.row();
    }
}
