package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

class TableOrderTest {

    private record Row(
            String name, @Nullable Long number, @Nullable Instant at) {}

    private static final Map<String, Function<Row, @Nullable Object>> COLUMNS =
            Map.of("name", Row::name, "number", Row::number, "at", Row::at);

    private static final List<Row> ROWS = List.of(
            new Row("zebra", 9L, Instant.EPOCH),
            new Row("", 100L, null),
            new Row("Äpfel", null, Instant.EPOCH.plusSeconds(9)),
            new Row("apple", 20L, Instant.EPOCH.minusSeconds(9)),
            new Row("Birne", 9L, null));

    @AfterEach
    void nobodyReads() {
        LocaleContextHolder.resetLocaleContext();
        RequestContextHolder.resetRequestAttributes();
    }

    @Test
    void textsCompareByTheReadersLanguageAndEmptyOnesComeLast() {
        LocaleContextHolder.setLocale(Locale.GERMAN);
        assertThat(names("name", null)).containsExactly("Äpfel", "apple", "Birne", "zebra", "");
        assertThat(names("name", "desc")).containsExactly("zebra", "Birne", "apple", "Äpfel", "");

        LocaleContextHolder.setLocale(Locale.forLanguageTag("sv"));
        assertThat(names("name", null)).containsExactly("apple", "Birne", "zebra", "Äpfel", "");
    }

    @Test
    void numbersAndTimesAreNoTextsAndMissingOnesComeLast() {
        assertThat(names("number", null)).containsExactly("zebra", "Birne", "apple", "", "Äpfel");
        assertThat(names("number", "desc")).containsExactly("", "apple", "zebra", "Birne", "Äpfel");
        assertThat(names("at", "desc")).containsExactly("Äpfel", "zebra", "apple", "", "Birne");
    }

    @Test
    void anUnknownColumnLeavesTheRowsAsTheyAre() {
        assertThat(names("<script>", "desc")).containsExactly("zebra", "", "Äpfel", "apple", "Birne");
        assertThat(names(null, "desc")).containsExactly("zebra", "", "Äpfel", "apple", "Birne");
    }

    @Test
    void aHeadingKeepsTheOtherParametersAndTurnsTheOrderRound() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/watchers");
        request.setQueryString("tab=failed&sort=name&q=a%26b");
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));

        TableOrder order = new TableOrder("name", null);

        assertThat(order.aria("name")).isEqualTo("ascending");
        assertThat(order.aria("number")).isNull();
        assertThat(query(order, "name")).containsExactlyInAnyOrder("tab=failed", "q=a%26b", "sort=name", "dir=desc");
        assertThat(query(order, "number")).containsExactlyInAnyOrder("tab=failed", "q=a%26b", "sort=number");
        TableOrder descending = new TableOrder("name", "desc");
        assertThat(descending.aria("name")).isEqualTo("descending");
        assertThat(query(descending, "name")).containsExactlyInAnyOrder("tab=failed", "q=a%26b", "sort=name");
    }

    private static String[] query(TableOrder order, String column) {
        assertThat(order.href(column)).startsWith("?");
        return order.href(column).substring(1).split("&");
    }

    private static List<String> names(@Nullable String sort, @Nullable String dir) {
        return new TableOrder(sort, dir)
                .sorted(ROWS, COLUMNS).stream().map(Row::name).toList();
    }
}
