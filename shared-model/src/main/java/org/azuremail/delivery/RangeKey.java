package org.azuremail.delivery;

/** One range of one shard. */
public record RangeKey(ShardKey shard, int number) {

    /** Row key of the range's control row. */
    public String row() {
        return String.format("!range%05d", number);
    }
}
