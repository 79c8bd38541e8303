package org.azuremail.delivery.range;

import java.util.stream.Stream;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;

/** The key of one shard of one message: the partition that contains its email rows and control rows. */
public record ShardKey(MessageRef ref, int shard) {

    public static Stream<ShardKey> all(Message message) {
        return message.shardNumbers().mapToObj(shard -> new ShardKey(message.ref(), shard));
    }

    /**
     * Returns {@code mail.<shard>.<MessageRef>}. It contains no date, so that moving a message can never email it
     * twice.
     */
    public String partition() {
        return "mail." + shard + "." + ref.padded();
    }
}
