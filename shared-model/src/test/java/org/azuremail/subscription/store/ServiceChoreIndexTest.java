package org.azuremail.subscription.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/**
 * Checks the row of a service that has work: it exists before the work, and is only deleted when certainly no work is
 * left.
 */
class ServiceChoreIndexTest {

    private static final Instant ANNOUNCED = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant SETTLED = ANNOUNCED.plus(Duration.ofMinutes(5));

    private final TableStore tables = new SimulatedStorage(ManualTime.at(ANNOUNCED), 7).tables();
    private final ServiceChoreIndex chores = new ServiceChoreIndex(tables);

    @Test
    void aRowNamesItsService() {
        chores.announce("list-deletion", ANNOUNCED);
        chores.announce("greetings", ANNOUNCED);

        assertThat(Rows.stream(tables, "message", KeyRange.partition(".active")).map(ServiceChoreIndex::serviceOf))
                .containsExactly(Optional.of("greetings"), Optional.of("list-deletion"));
        assertThat(chores.of("greetings").flatMap(ServiceChoreIndex::serviceOf)).contains("greetings");
        assertThat(chores.of("import")).isEmpty();
    }

    @Test
    void otherRowsNameNone() {
        tables.write("message", ".active", Write.insert("confirm:news.0", Values.none()));

        assertThat(Rows.stream(tables, "message", KeyRange.partition(".active")).map(ServiceChoreIndex::serviceOf))
                .containsExactly(Optional.empty());
    }

    /** Until it is settled, a process that wrote the row may not have written the work yet. */
    @Test
    void aRowStaysUntilItIsSettled() {
        chores.announce("greetings", ANNOUNCED);
        chores.announce("import", ANNOUNCED);
        Row row = chores.of("greetings").orElseThrow();

        chores.removeIfSettled(row, SETTLED);
        assertThat(chores.of("greetings")).contains(row);

        chores.removeIfSettled(row, SETTLED.plusMillis(1));
        assertThat(chores.of("greetings")).isEmpty();
        assertThat(chores.of("import")).isPresent();
    }

    @Test
    void aRowThatIsAnnouncedAgainAfterItWasReadStays() {
        chores.announce("greetings", ANNOUNCED);
        Row read = chores.of("greetings").orElseThrow();
        Instant again = SETTLED.plusSeconds(1);
        chores.announce("greetings", again);

        chores.removeIfSettled(read, again.plusSeconds(1));

        assertThat(chores.of("greetings").orElseThrow().values().requireInstant("AnnouncedAt"))
                .isEqualTo(again);
    }
}
