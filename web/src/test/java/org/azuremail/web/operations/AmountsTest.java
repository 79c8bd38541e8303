package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Currency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {

    private final Amounts amounts = new Amounts(Currency.getInstance("USD"));

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "3240, 3.2 s",
        "3000, 3 s",
        "42000, 42 s",
        "420000, 7 min",
        "3600000, 1 h",
        "7500000, 2 h 5 min",
        "86400000, 1 d",
        "273600000, 3 d 4 h"
    })
    void aTimeHasTheUnitThatSaysMost(long millis, String shown) {
        assertThat(Amounts.time(Duration.ofMillis(millis))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 min", "59, under 1 min", "60, 1 min", "7199, 119 min", "'600000','10,000 min'"})
    void theRemainingTimeIsToldInMinutes(long seconds, String shown) {
        assertThat(amounts.minutes(Duration.ofSeconds(seconds))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.00 USD", "0.0259, 0.0259 USD", "0.1, 0.10 USD", "25.92, 25.92 USD", "'1234.5','1,234.50 USD'"})
    void smallAmountsAreNotRoundedToNothing(BigDecimal amount, String shown) {
        assertThat(amounts.money(amount)).isEqualTo(shown);
    }

    @Test
    void largeNumbersCanBeRead() {
        assertThat(amounts.number(259_200)).isEqualTo("259,200");
    }
}
