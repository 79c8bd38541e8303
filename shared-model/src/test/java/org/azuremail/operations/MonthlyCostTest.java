package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.azuremail.operations.MonthlyCost.Amount;
import org.azuremail.operations.MonthlyCost.Basis;
import org.azuremail.operations.MonthlyCost.Line;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Checks the arithmetic of the table of costs. */
class MonthlyCostTest {

    private static MonthlyCost month(String instances, String gigabytes, long emails, long calls, String... prices) {
        MapConfigurationPropertySource settings = new MapConfigurationPropertySource();
        for (int i = 0; i < prices.length; i += 2) {
            settings.put("azuremail.operations." + prices[i], prices[i + 1]);
        }
        return MonthlyCost.of(
                new Amount(new BigDecimal(instances), Basis.MEASURED),
                new Amount(new BigDecimal(gigabytes), Basis.ESTIMATED),
                Amount.of(emails, Basis.MEASURED),
                Amount.of(calls, Basis.ESTIMATED),
                new Binder(settings).bindOrCreate("azuremail.operations", OperationsProperties.class));
    }

    @Test
    void q2_theTutorialsTableComesOutAtItsPrices() {
        MonthlyCost month = month("4", "25", 25_000, 1_000_000);

        assertThat(month.lines())
                .extracting(Line::cost)
                .containsExactly(
                        new BigDecimal("57.6000"),
                        new BigDecimal("2.3300"),
                        new BigDecimal("0.0000"),
                        new BigDecimal("0.1000"));
        assertThat(month.total())
                .as("the tutorial has 58.00 for its instances: it counts months of 725 hours")
                .isEqualByComparingTo("60.03");
    }

    @Test
    void q2_a15_pollingAQueueForAMonthCostsCentsBesideItsInstance() {
        String[] prices = {"price-per-instance-hour", "0.12", "price-per-million", "1.00"};

        assertThat(month("1", "0", 0, 259_200, prices).total()).isEqualByComparingTo("86.6592");
        assertThat(month("2", "0", 0, 2 * 259_200, prices).total()).isEqualByComparingTo("173.3184");
    }

    @Test
    void emailsCostBeyondTheFreeOnes() {
        String[] prices = {"price-per-thousand-emails", "0.80", "free-emails", "1000"};

        assertThat(month("0", "0", 999, 0, prices).total()).isEqualByComparingTo("0");
        assertThat(month("0", "0", 3_500, 0, prices).total()).isEqualByComparingTo("2");
    }

    @Test
    void unknownAmountsAddNothingToTheTotal() {
        MonthlyCost month = MonthlyCost.of(
                Amount.of(1, Basis.MEASURED),
                Amount.unknown(),
                Amount.unknown(),
                Amount.unknown(),
                OnOperations.SETTINGS);

        assertThat(month.lines().get(3).cost()).isNull();
        assertThat(month.total()).isEqualByComparingTo("14.40");
    }
}
