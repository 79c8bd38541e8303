package org.azuremail.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.blobset.SetJob;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.report.PeopleReports.ExportedFile;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Writes the people of a list or a segment to a file, shard by shard, in parts of a few megabytes. Each step writes one
 * part and holds no more than that in memory.
 *
 * @param partBytes the size at which a part ends, in bytes
 */
record ExportJob(PeopleWalk walk, FieldStore fields, int partBytes) implements PeopleJob<ExportedFile> {

    static final String NAME = "export";

    /** The key of the list's own fields at the start of the job; every part has these columns. */
    static final String COLUMNS = "columns";

    /** The size at which a part ends, in bytes. A part may be larger by one page of people. */
    static final int PART_BYTES = 4 * 1024 * 1024;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TextCodec<ExportedFile> results() {
        return ExportedFile.FORM;
    }

    @Override
    public Step<ExportedFile> work(SetJob.Piece piece, List<Element<ListPart>> values, @Nullable ExportedFile soFar)
            throws SetJob.Failure, IOException {
        ListPart part = values.get(0).value();
        MailingList list = walk.require(part.list());
        ListFields known = fields.of(list);
        List<String> columns = columns(piece.about());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        AtomicLong rows = new AtomicLong();
        PeopleWalk.WalkProgress walked;
        try (Writer out = new OutputStreamWriter(content, StandardCharsets.UTF_8)) {
            walked = walk.walk(piece, list, part.shard(), people -> {
                SubscriberExport.writeRows(columns, known, people.stream(), out);
                rows.addAndGet(people.size());
                out.flush();
                return content.size() < partBytes;
            });
        }
        ExportedFile file = soFar == null ? new ExportedFile(List.of()) : soFar;
        if (rows.get() > 0) {
            String blob = piece.files().apply(content.toByteArray());
            int number = file.parts().size();
            file = file.plus(new ExportedFile(
                    List.of(new ExportedFile.Part(part.shard(), number, blob, rows.get(), content.size()))));
        }
        return new Step<>(file, walked.next(), walked.read());
    }

    @Override
    public ExportedFile reduce(ExportedFile one, ExportedFile other) {
        return one.plus(other);
    }

    static List<String> columns(Map<String, String> about) {
        String columns = about.getOrDefault(COLUMNS, "");
        return columns.isEmpty() ? List.of() : List.of(columns.split("\n"));
    }
}
