package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks how many watchers a process takes. */
class WatcherPropertiesTest {

    @Test
    @DisplayName("O5: capacity comes from the setting, or from cores and memory")
    void o5_bothSourcesOfCapacity() {
        Runtime machine = Runtime.getRuntime();

        assertThat(new WatcherProperties(7, 32, "", null).slots(machine)).isEqualTo(7);
        assertThat(new WatcherProperties(0, 32, "", null).slots(machine))
                .as("more than a few, and bounded by each")
                .isBetween(100, 5_000 * machine.availableProcessors())
                .isLessThanOrEqualTo((int) Math.min(Integer.MAX_VALUE, machine.maxMemory() / 50_000));
    }
}
