package org.azuremail.web.operations;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.azuremail.operations.PollingCost;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to have reckoned; nothing typed means nothing wanted.
 *
 * @param queues how many queues are asked
 * @param seconds how often
 * @param price of a million transactions
 */
record PollingForm(
        @Nullable String queues,
        @Nullable String seconds,
        @Nullable String price) {

    static final String RULE = "Please type whole numbers from 1 to 100,000, and a price like 0.10.";

    boolean empty() {
        return queues == null && seconds == null && price == null;
    }

    Optional<PollingCost> cost() {
        Optional<Integer> many = whole(queues);
        Optional<Integer> every = whole(seconds);
        return many.isPresent() && every.isPresent()
                ? typedPrice().map(each -> new PollingCost(many.get(), Duration.ofSeconds(every.get()), each))
                : Optional.empty();
    }

    private static Optional<Integer> whole(@Nullable String typed) {
        return Optional.ofNullable(typed)
                .map(String::strip)
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(Integer::valueOf)
                .filter(number -> number >= 1 && number <= 100_000);
    }

    private Optional<BigDecimal> typedPrice() {
        return Optional.ofNullable(price)
                .map(text -> text.strip().replace(',', '.'))
                .filter(text -> text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?"))
                .map(BigDecimal::new);
    }
}
