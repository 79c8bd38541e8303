package org.azuremail.figures;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.figures.Figures.DomainCounts;
import org.azuremail.figures.Figures.Rate;
import org.azuremail.figures.Figures.ReasonCount;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * The figures of messages, each in a row {@code !figures} in the partition of the message's first shard. A read takes
 * one storage call.
 */
public record FigureStore(TableStore tables) {

    private static final String ROW = "!figures";

    public FigureStore {
        tables.createTable(ARCHIVE);
    }

    public Optional<Figures> find(MessageRef ref) {
        return tables.get(ARCHIVE, partition(ref), ROW).map(row -> read(row.values()));
    }

    /** Stores figures, unless those of a later count are stored. */
    void put(MessageRef ref, Figures figures) {
        ConditionalWrites.retryUntilDone("the figures of message " + ref, () -> {
            Optional<Row> existing = tables.get(ARCHIVE, partition(ref), ROW);
            boolean newer = existing.filter(
                            row -> read(row.values()).countedAt().isAfter(figures.countedAt()))
                    .isPresent();
            return newer
                    || tables.write(ARCHIVE, partition(ref), Write.put(existing, ROW, values(figures)))
                            .written();
        });
    }

    private static String partition(MessageRef ref) {
        return new ShardKey(ref, 0).partition();
    }

    private static Values values(Figures figures) {
        Values.Builder values = Values.builder()
                .put("CountedAt", figures.countedAt())
                .put("RateBegin", figures.rate().begin())
                .put("RateStep", figures.rate().step().toSeconds())
                .put("Rate", joined(figures.rate().emails(), " ", String::valueOf))
                .put("Reasons", joined(figures.reasons(), "\n", FigureStore::written))
                .put("OtherReasons", figures.otherReasons())
                .put("Domains", joined(figures.domains(), "\n", one -> one.name() + " " + written(one.counts())))
                .put("OtherDomains", written(figures.otherDomains()))
                .put("Silent", figures.undecided() == 0 ? null : figures.undecided());
        figures.outcomes().into(values);
        return values.build();
    }

    private static Figures read(Values values) {
        return new Figures(
                values.requireInstant("CountedAt"),
                OutcomeCounts.from(values),
                new Rate(
                        values.requireInstant("RateBegin"),
                        Duration.ofSeconds(values.number("RateStep", 60)),
                        split(values.string("Rate", ""), " ", Long::valueOf)),
                split(values.string("Reasons", ""), "\n", FigureStore::reason),
                values.number("OtherReasons", 0),
                split(values.string("Domains", ""), "\n", FigureStore::domain),
                counts(values.string("OtherDomains", "0 0 0 0")),
                values.number("Silent", 0));
    }

    private static <T> String joined(List<T> items, String separator, Function<T, String> writer) {
        return items.stream().map(writer).collect(Collectors.joining(separator));
    }

    private static <T> List<T> split(String text, String separator, Function<String, T> reader) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(separator)).map(reader).toList();
    }

    private static String written(ReasonCount reason) {
        return reason.outcome().name() + " " + reason.recipients() + " "
                + reason.reason().stored().replace('\n', ' ');
    }

    private static ReasonCount reason(String line) {
        String[] parts = line.split(" ", 3);
        return new ReasonCount(Outcome.valueOf(parts[0]), Reason.read(parts[2]), Long.parseLong(parts[1]));
    }

    private static DomainCounts domain(String line) {
        int end = line.indexOf(' ');
        return new DomainCounts(line.substring(0, end), counts(line.substring(end + 1)));
    }

    private static String written(OutcomeCounts counts) {
        return counts.sent() + " " + counts.failed() + " " + counts.skipped() + " " + counts.unknown() + " "
                + counts.bounced() + " " + counts.complained();
    }

    private static OutcomeCounts counts(String text) {
        long[] parts = Arrays.copyOf(
                Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray(), 6);
        return new OutcomeCounts(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    }
}
