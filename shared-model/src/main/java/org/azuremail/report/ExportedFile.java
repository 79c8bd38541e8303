package org.azuremail.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.azuremail.blobset.TextForm;

/** The file of an export: parts, each in a blob. They do not contain the first line of the file. */
public record ExportedFile(List<Part> parts) {

    static final TextForm<ExportedFile> FORM = TextForm.json(ExportedFile.class);

    /**
     * A part of the file.
     *
     * @param number in its shard, from 0
     */
    public record Part(int shard, int number, String blob, long rows, long bytes) {}

    ExportedFile plus(ExportedFile other) {
        List<Part> both = new ArrayList<>(parts);
        both.addAll(other.parts);
        both.sort(Comparator.comparingInt(Part::shard).thenComparingInt(Part::number));
        return new ExportedFile(both);
    }

    public long rows() {
        return parts.stream().mapToLong(Part::rows).sum();
    }

    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }
}
