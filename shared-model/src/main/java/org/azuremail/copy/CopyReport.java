package org.azuremail.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.azuremail.storage.Storage;

/** The counts of every table, container and queue in both storages. */
public record CopyReport(List<Line> lines) {

    /**
     * The counts of one table, container or queue.
     *
     * @param source the number of rows, blobs or remaining queue items in the source
     * @param target the number of rows, blobs or queue items in the target
     * @param equal whether number and content agree; always true for queues, whose items are moved
     */
    public record Line(String kind, String name, long source, long target, boolean equal) {}

    public CopyReport {
        lines = List.copyOf(lines);
    }

    static CopyReport of(Storage.Inventory inventory, Storage source, Storage target) {
        List<Line> lines = new ArrayList<>();
        for (String name : inventory.tables()) {
            lines.add(line("table", name, CopyTally.ofTable(source, name), CopyTally.ofTable(target, name)));
        }
        for (String name : inventory.containers()) {
            lines.add(line("blobs", name, CopyTally.ofContainer(source, name), CopyTally.ofContainer(target, name)));
        }
        for (String name : inventory.queues()) {
            long left = source.queues().approximateCount(name);
            lines.add(new Line("queue", name, left, target.queues().approximateCount(name), true));
        }
        return new CopyReport(lines);
    }

    private static Line line(String kind, String name, CopyTally source, CopyTally target) {
        return new Line(kind, name, source.count(), target.count(), source.equals(target));
    }

    public boolean equal() {
        return lines.stream().allMatch(Line::equal);
    }

    /** Returns the report as a table for people to read. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(row("", "", "source", "target", ""));
        for (Line line : lines) {
            String word = line.kind().equals("queue") ? "moved" : line.equal() ? "equal" : "DIFFERENT";
            text.append(row(line.kind(), line.name(), "" + line.source(), "" + line.target(), word));
        }
        return text.toString();
    }

    private static String row(String kind, String name, String source, String target, String word) {
        return String.format(Locale.ROOT, "%-6s %-26s %10s %10s  %s", kind, name, source, target, word)
                        .stripTrailing()
                + "\n";
    }
}
