package org.azuremail.web.operations;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.history.ActivityHistory;
import org.azuremail.history.ActivityHistory.HourlyCounts;
import org.azuremail.operations.MonthlyCost;
import org.azuremail.operations.MonthlyCost.Amount;
import org.azuremail.operations.MonthlyCost.Basis;
import org.azuremail.operations.MonthlyCost.Item;
import org.azuremail.operations.Operations;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.operations.Overview;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.Growth.GrowthDay;
import org.springframework.stereotype.Component;

/**
 * The cost of a month of this installation, from what is counted. An estimate costs one overview of the operations, a
 * storage call for each thousand rows of the history, and one or two more.
 */
@Component
public record MonthlyCosts(
        Operations operations,
        ActivityHistory history,
        Growth growth,
        OperationsProperties settings,
        AzureMailProperties process) {

    /** The size of a subscriber's rows on a list, including the rows by which they are found. */
    private static final long BYTES_OF_A_SUBSCRIBER = 2048;

    /** The size of an email's archived row. */
    private static final long BYTES_OF_AN_EMAIL = 1024;

    private static final BigDecimal GIGABYTE = BigDecimal.valueOf(1 << 30);

    /** @param typed the amounts of a what-if; all other amounts are as counted */
    public MonthlyCost estimate(Map<Item, BigDecimal> typed) {
        Overview overview = operations.overview();
        long emails = history.hours().values().stream()
                .mapToLong(HourlyCounts::emails)
                .sum();
        return MonthlyCost.of(
                amount(typed, Item.INSTANCES, Amount.of(hosts(overview), Basis.MEASURED)),
                amount(typed, Item.GIGABYTES, size(emails)),
                amount(typed, Item.EMAILS, Amount.of(emails, Basis.MEASURED)),
                amount(typed, Item.CALLS, calls(overview)),
                settings);
    }

    private static Amount amount(Map<Item, BigDecimal> typed, Item item, Amount counted) {
        BigDecimal wanted = typed.get(item);
        return wanted == null ? counted : new Amount(wanted, Basis.TYPED);
    }

    /** Returns the number of hosts. The processes of one host cost one instance. */
    private static long hosts(Overview overview) {
        return overview.instances().stream()
                .filter(Overview.Process::alive)
                .map(Overview.Process::name)
                .distinct()
                .count();
    }

    private Amount size(long emails) {
        if (process.storage() == StorageKind.EMBEDDED) {
            return fileSize();
        }
        List<GrowthDay> days = growth.ofAll(1);
        long subscribers = days.isEmpty() ? 0 : days.get(days.size() - 1).subscribed();
        return gigabytes(subscribers * BYTES_OF_A_SUBSCRIBER + emails * BYTES_OF_AN_EMAIL, Basis.ESTIMATED);
    }

    /** Returns the size of the data file and its log. */
    private Amount fileSize() {
        try (Stream<Path> files = Files.list(process.dataDir())) {
            long bytes = 0;
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith("azuremail.db"))
                    .toList()) {
                bytes += Files.size(file);
            }
            return gigabytes(bytes, Basis.MEASURED);
        } catch (IOException unreadable) {
            return Amount.unknown();
        }
    }

    private static Amount gigabytes(long bytes, Basis basis) {
        return new Amount(BigDecimal.valueOf(bytes).divide(GIGABYTE, 3, RoundingMode.UP), basis);
    }

    private static Amount calls(Overview overview) {
        Long month = overview.all().month();
        return month == null ? Amount.unknown() : Amount.of(month, Basis.ESTIMATED);
    }
}
