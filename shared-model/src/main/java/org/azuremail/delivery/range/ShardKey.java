package org.azuremail.delivery.range;

import java.util.stream.Stream;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;

/** One shard of one message: the partition that holds its email rows and control rows. */
public record ShardKey(MessageRef ref, int shard) {

    public static Stream<ShardKey> all(Message message) {
        return message.shardNumbers().mapToObj(shard -> new ShardKey(message.ref(), shard));
    }

    /** {@code mail.<shard>.<MessageRef>}: no date in it, so that moving a message can never mail it twice. */
    public String partition() {
        return "mail." + shard + "." + ref.padded();
    }
}
