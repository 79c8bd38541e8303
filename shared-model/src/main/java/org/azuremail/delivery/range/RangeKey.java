package org.azuremail.delivery.range;

/** The key of one range of one shard. */
public record RangeKey(ShardKey shard, int number) {

    private static final int DIGITS = 5;

    /** Returns the row key of the range's control row: five digits or more. */
    public String row() {
        String digits = Integer.toString(number);
        return "!range" + "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
    }
}
