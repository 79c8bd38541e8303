package org.azuremail.web.api.operations;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.azuremail.id.AsciiWord;
import org.azuremail.operations.MonthlyCost;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.web.operations.MonthlyCosts;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The estimated cost of a month, item by item. */
@RestController
record CostApi(MonthlyCosts costs, OperationsProperties settings) {

    /** @param total the sum of the lines whose cost is known */
    record CostBody(List<LineBody> lines, BigDecimal total, String currency) {}

    /** @param basis {@code measured}, {@code estimated} or {@code unknown} */
    record LineBody(
            String item,
            @Nullable BigDecimal amount,
            String basis,
            BigDecimal price,
            @Nullable BigDecimal cost) {}

    @GetMapping("/api/v1/costs")
    CostBody cost() {
        MonthlyCost estimate = costs.estimate(Map.of());
        return new CostBody(
                estimate.lines().stream()
                        .map(line -> new LineBody(
                                AsciiWord.of(line.item()),
                                line.amount().value(),
                                AsciiWord.of(line.amount().basis()),
                                line.price(),
                                line.cost()))
                        .toList(),
                estimate.total(),
                settings.currency().getCurrencyCode());
    }
}
