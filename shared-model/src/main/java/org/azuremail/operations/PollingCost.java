package org.azuremail.operations;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * What asking queues again and again costs in a month of 30 days.
 *
 * @param queues how many queues are asked
 * @param every how often each is asked, a second at least
 * @param pricePerMillion what a million storage transactions costs
 */
public record PollingCost(int queues, Duration every, BigDecimal pricePerMillion) {

    /** A month, here and wherever something is projected. */
    public static final Duration MONTH = Duration.ofDays(30);

    /** The polling of the model: one queue every ten seconds at $0.01 per 10,000 transactions. */
    public static final PollingCost OF_THE_MODEL = new PollingCost(1, Duration.ofSeconds(10), BigDecimal.ONE);

    /** What the model says that this costs; a hundred times too much. */
    public static final BigDecimal CLAIM_OF_THE_MODEL = new BigDecimal("25.92");

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    public PollingCost {
        if (queues < 1 || every.toSeconds() < 1 || pricePerMillion.signum() < 0) {
            throw new IllegalArgumentException("at least one queue, at least a second, no negative price");
        }
    }

    public long polls() {
        return queues * (MONTH.toSeconds() / every.toSeconds());
    }

    public BigDecimal cost() {
        return cost(polls(), pricePerMillion);
    }

    /** What so many transactions cost, unrounded up to a ten-thousandth. */
    static BigDecimal cost(long transactions, BigDecimal pricePerMillion) {
        return BigDecimal.valueOf(transactions).multiply(pricePerMillion).divide(MILLION, 4, RoundingMode.HALF_UP);
    }
}
