package org.azuremail.web.operations;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.azuremail.operations.MonthlyCost.Item;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;

/** The page of a month's cost: as counted, and for amounts that an admin enters. */
@Controller
record CostPages(MonthlyCosts costs, OperationsProperties settings) {

    private static final Pattern WHOLE = Pattern.compile("\\d{1,12}");
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}([.]\\d{1,3})?");

    /** The amounts that an admin enters; an empty field stands for the counted amount. */
    record Form(
            @Nullable String instances,
            @Nullable String gigabytes,
            @Nullable String monthlyEmails,
            @Nullable String monthlyCalls) {

        Map<Item, BigDecimal> read(BindingResult errors) {
            Map<Item, BigDecimal> typed = new EnumMap<>(Item.class);
            read(Item.INSTANCES, "instances", instances, WHOLE, typed, errors);
            read(Item.GIGABYTES, "gigabytes", gigabytes, DECIMAL, typed, errors);
            read(Item.EMAILS, "monthlyEmails", monthlyEmails, WHOLE, typed, errors);
            read(Item.CALLS, "monthlyCalls", monthlyCalls, WHOLE, typed, errors);
            return typed;
        }

        private static void read(
                Item item,
                String field,
                @Nullable String value,
                Pattern shape,
                Map<Item, BigDecimal> typed,
                BindingResult errors) {
            String text = shape == WHOLE ? FormErrors.number(value) : FormErrors.decimal(value);
            if (shape.matcher(text).matches()) {
                typed.put(item, new BigDecimal(text));
            } else if (!text.isEmpty()) {
                String code = shape == WHOLE ? "error.costs.whole" : "error.costs.decimal";
                FormErrors.reject(errors, field, code, FormErrors.label(field));
            }
        }
    }

    @GetMapping("/operations/costs")
    String all(Form form, BindingResult errors, Model model) {
        model.addAttribute("estimate", costs.estimate(form.read(errors)));
        model.addAttribute("amounts", new Amounts(settings.currency()));
        model.addAttribute("free", settings.freeEmails());
        return "operations/costs";
    }
}
