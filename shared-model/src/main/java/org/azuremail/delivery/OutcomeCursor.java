package org.azuremail.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Where a listing of outcomes goes on.
 *
 * @param inside where in the shard; {@code null} at its beginning
 */
record OutcomeCursor(int shard, @Nullable String inside) {

    /** @throws IllegalArgumentException when the text is none of ours */
    static OutcomeCursor read(@Nullable String text, int shards) {
        if (text == null) {
            return new OutcomeCursor(0, null);
        }
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("not a cursor");
        }
        int shard = Integer.parseInt(text.substring(0, dot));
        if (shard < 0 || shard >= shards) {
            throw new IllegalArgumentException("no shard " + shard);
        }
        return new OutcomeCursor(shard, dot + 1 < text.length() ? text.substring(dot + 1) : null);
    }

    String text() {
        return shard + "." + (inside == null ? "" : inside);
    }
}
