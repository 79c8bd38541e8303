package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.KeyRange;
import org.junit.jupiter.api.Test;

class FiltersTest {

    @Test
    void rangesAreFilters() {
        assertThat(Filters.of(KeyRange.everything())).hasValue("");
        assertThat(Filters.of(KeyRange.partition("p"))).hasValue("PartitionKey eq 'p'");
        assertThat(Filters.of(KeyRange.prefix("p", "email:")))
                .hasValue("PartitionKey eq 'p' and RowKey ge 'email:' and RowKey lt 'email;'");
        assertThat(Filters.of(KeyRange.partitions("a", "b"))).hasValue("PartitionKey ge 'a' and PartitionKey lt 'b'");
        assertThat(Filters.of(KeyRange.partitions(null, "b"))).hasValue("PartitionKey lt 'b'");
    }

    @Test
    void quotesCannotEndAKey() {
        assertThat(Filters.of(KeyRange.rows("p' or '1' eq '1", "'", null)))
                .hasValue("PartitionKey eq 'p'' or ''1'' eq ''1' and RowKey ge ''''");
    }

    @Test
    void boundsHaveOnlyCharactersThatKeysMayHave() {
        assertThat(Filters.of(KeyRange.prefix("p", "a~")))
                .hasValue("PartitionKey eq 'p' and RowKey ge 'a~' and RowKey lt 'b'");
        assertThat(Filters.of(KeyRange.prefix("p", "a~~")))
                .hasValue("PartitionKey eq 'p' and RowKey ge 'a~~' and RowKey lt 'b'");
        assertThat(Filters.of(KeyRange.prefix("p", "~"))).hasValue("PartitionKey eq 'p' and RowKey ge '~'");
        assertThat(Filters.of(KeyRange.prefix("p", "~~"))).hasValue("PartitionKey eq 'p' and RowKey ge '~~'");
        assertThat(Filters.of(KeyRange.rows("p", "\u007f", null))).isEmpty();
    }
}
