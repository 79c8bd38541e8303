package org.azuremail.delivery;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.storage.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The place where a listing of outcomes continues.
 *
 * @param positionInShard the place in the shard; {@code null} at its beginning
 */
record OutcomeCursor(int shard, @Nullable String positionInShard) {

    /** Reads a page of one shard, as {@code DeliveryStore} does. */
    interface ShardPages<T> {
        Page<T> read(ShardKey shard, int limit, @Nullable String inside);
    }

    /** Returns a page over all shards of a message, in order of shard and address. */
    static <T> Page<T> page(Message message, int limit, @Nullable String continuation, ShardPages<T> pages) {
        OutcomeCursor at = read(continuation, message.shards());
        int shard = at.shard;
        String inside = at.positionInShard;
        List<T> found = new ArrayList<>();
        while (shard < message.shards() && found.size() < limit) {
            Page<T> page = pages.read(new ShardKey(message.ref(), shard), limit - found.size(), inside);
            found.addAll(page.items());
            inside = page.continuation();
            shard += inside == null ? 1 : 0;
        }
        return new Page<>(found, shard < message.shards() ? new OutcomeCursor(shard, inside).text() : null);
    }

    /** @throws IllegalArgumentException when the text is not a valid cursor */
    static OutcomeCursor read(@Nullable String text, int shards) {
        if (text == null) {
            return new OutcomeCursor(0, null);
        }
        int dot = text.indexOf('.');
        Assert.isTrue(dot >= 0, "not a cursor");
        int shard = Integer.parseInt(text.substring(0, dot));
        Assert.isTrue(shard >= 0 && shard < shards, () -> "no shard " + shard);
        return new OutcomeCursor(shard, dot + 1 < text.length() ? text.substring(dot + 1) : null);
    }

    String text() {
        return shard + "." + (positionInShard == null ? "" : positionInShard);
    }
}
