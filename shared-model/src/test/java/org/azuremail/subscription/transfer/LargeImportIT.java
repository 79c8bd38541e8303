package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.storage.simulated.Call;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.junit.jupiter.api.Test;

/** Checks files and shards with many rows: the number of calls and the order of the rows. */
class LargeImportIT {

    @Test
    void theNumberOfCallsGrowsWithBatchesAndNotRows() {
        ImportWorld large = new ImportWorld(5000);
        ImportId id = large.start("email\n" + people(0, 2000), true);
        large.world.simulated.resetCounters();

        large.run(id);
        // These include the batches of the directory, with a hundred people each.
        assertThat(large.world.simulated.calls(Call.Kind.WRITE)).isLessThan(2000 / 40 + 2 * 40);
        assertThat(large.world.simulated.calls(Call.Kind.GET)).isLessThan(300);
    }

    /** Rows that are written together are adjacent in the storage, though their links are unguessable. */
    @Test
    void theGuidsOfAChunkAreAdjacentAndHaveAllTheirRandomBits() {
        ImportWorld chunks = new ImportWorld(300, 4);
        chunks.bring("email\n" + people(0, 600), true);

        for (int shard = 0; shard < 4; shard++) {
            List<SubscriberGuid> guids = chunks.world.rows("news." + shard).stream()
                    .filter(row -> row.rowKey().startsWith("guid:"))
                    .map(row -> new SubscriberGuid(row.rowKey().substring("guid:".length())))
                    .toList();
            assertThat(guids)
                    .hasSizeGreaterThan(100)
                    .allMatch(guid -> guid.value().length() == 2 + 4 + 32);
            assertThat(guids).extracting(guid -> guid.value().substring(2, 6)).containsOnly("0000", "0001");
            assertThat(guids).extracting(guid -> guid.value().substring(6)).doesNotHaveDuplicates();
        }
    }

    @Test
    void newAddressesAfterAllOthersOfALargeShardCostNoReads() {
        ImportWorld large = new ImportWorld(20_000, 1);
        large.bring("email\n" + people(0, 20_000), true);
        ImportId id = large.start("email\n" + people(20_000, 20_500), true);
        large.world.simulated.resetCounters();

        large.run(id);

        long batches = large.world.simulated.calls(Call.Kind.WRITE);
        assertThat(large.world.simulated.calls(Call.Kind.QUERY)).isLessThan(10);
        assertThat(large.world.simulated.calls(Call.Kind.GET)).isLessThan(2 * batches);
        assertThat(large.world.store().counts(large.world.list()).subscribed()).isEqualTo(20_500);
    }

    @Test
    void aFewPeopleOfALargeShardAreFoundAmongTheOthers() {
        ImportWorld large = new ImportWorld(2_000, 1);
        large.bring("email\n" + people(0, 2_000), true);
        String some = people(-1, 0) + people(3, 40) + people(1_000, 1_001) + people(1_990, 2_010);

        SubscriberImport done = large.bring("email,name\n" + some.replace("\n", ",New\n"), true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(59, 11, 48, 0, 0, 0));
        assertThat(large.world.store().counts(large.world.list()).subscribed()).isEqualTo(2_011);
    }

    /**
     * The row of a known subscriber takes one write, so a batch reaches its limit of bytes before its limit of rows.
     */
    @Test
    void subscribersWithAttributesAsLargeAsAllowedAreUpdatedInBatchesThatFit() {
        ImportWorld large = new ImportWorld(300, 1);
        large.bring("email\n" + people(0, 120), true);
        String quarter = people(0, 120).replace("\n", (',' + "\\".repeat(1_000)).repeat(3) + "\n");
        SubscriberImport.Counts updated = new SubscriberImport.Counts(120, 0, 120, 0, 0, 0);

        assertThat(large.bring("email,a,b,c\n" + quarter, true).counts()).isEqualTo(updated);
        assertThat(large.bring("email,d,e,f\n" + quarter, true).counts()).isEqualTo(updated);
        assertThat(large.bring("email,g,h,i\n" + quarter, true).counts()).isEqualTo(updated);
        assertThat(large.bring("email,j,k,l\n" + quarter, true).counts()).isEqualTo(updated);
    }

    private static String people(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "p%06d@example.org\n".formatted(i))
                .collect(Collectors.joining());
    }
}
