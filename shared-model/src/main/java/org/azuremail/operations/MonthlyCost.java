package org.azuremail.operations;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a month of 30 days, with the lines of the Azure Email Service tutorial: instances, gigabytes, emails and
 * storage calls.
 *
 * @param lines one line for each item
 * @param total the sum of the lines whose amount is known
 */
public record MonthlyCost(List<Line> lines, BigDecimal total) {

    /** The hours of a month of 30 days. */
    public static final int HOURS = 720;

    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    public enum Basis {
        MEASURED,
        /** The amount was projected, or calculated from other counts. */
        ESTIMATED,
        /** An admin entered the amount, to see what it would cost. */
        TYPED,
        /** The amount is not known yet. */
        UNKNOWN
    }

    public enum Item {
        INSTANCES,
        GIGABYTES,
        EMAILS,
        CALLS
    }

    /** An amount and how it is known. The value is {@code null} if it is unknown. */
    public record Amount(@Nullable BigDecimal value, Basis basis) {

        public static Amount of(long value, Basis basis) {
            return new Amount(BigDecimal.valueOf(value), basis);
        }

        public static Amount unknown() {
            return new Amount(null, Basis.UNKNOWN);
        }
    }

    /**
     * A line.
     *
     * @param price the price of one hour of an instance, a gigabyte, a thousand emails or a million calls
     * @param cost the cost of the month, rounded to a ten-thousandth; {@code null} if the amount is unknown
     */
    public record Line(
            Item item,
            Amount amount,
            BigDecimal price,
            @Nullable BigDecimal cost) {}

    public static MonthlyCost of(
            Amount instances, Amount gigabytes, Amount emails, Amount calls, OperationsProperties prices) {
        List<Line> lines = List.of(
                line(Item.INSTANCES, instances, prices.pricePerInstanceHour(), prices),
                line(Item.GIGABYTES, gigabytes, prices.pricePerGigabyte(), prices),
                line(Item.EMAILS, emails, prices.pricePerThousandEmails(), prices),
                line(Item.CALLS, calls, prices.pricePerMillion(), prices));
        BigDecimal total =
                lines.stream().map(Line::cost).filter(Objects::nonNull).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new MonthlyCost(lines, total);
    }

    private static Line line(Item item, Amount amount, BigDecimal price, OperationsProperties prices) {
        BigDecimal cost = Optional.ofNullable(amount.value())
                .map(value -> cost(item, value, price, prices).setScale(4, RoundingMode.HALF_UP))
                .orElse(null);
        return new Line(item, amount, price, cost);
    }

    private static BigDecimal cost(Item item, BigDecimal amount, BigDecimal price, OperationsProperties prices) {
        return switch (item) {
            case INSTANCES -> amount.multiply(BigDecimal.valueOf(HOURS)).multiply(price);
            case GIGABYTES -> amount.multiply(price);
            case EMAILS ->
                amount.subtract(BigDecimal.valueOf(prices.freeEmails()))
                        .max(BigDecimal.ZERO)
                        .multiply(price)
                        .divide(THOUSAND);
            case CALLS -> CallSums.cost(amount.longValue(), price);
        };
    }
}
