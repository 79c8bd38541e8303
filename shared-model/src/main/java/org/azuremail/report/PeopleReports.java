package org.azuremail.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.segment.PeopleJobParameters;
import org.azuremail.segment.SegmentCounts;
import org.azuremail.storage.BlobStore;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs about the people of lists and segments, and reads their results. Safe for use from many threads and
 * processes.
 */
public record PeopleReports(SetJobs jobs, PeopleJobParameters parameters) {

    public static final String STATISTICS = SegmentCounts.JOB;

    public static final String EXPORT = ExportJob.NAME;

    /**
     * Starts a job; repeating the call changes nothing.
     *
     * @param id an id from {@link SetJobs#newId}
     * @param job {@link #STATISTICS} or {@link #EXPORT}
     * @param segment {@code null} for the whole list
     * @param by the admin who starts it
     * @return empty if the segment's rules cannot be applied now
     */
    public Optional<SetJobs.Status> start(
            String id, String job, MailingList list, @Nullable Segment segment, String by) {
        Optional<Map<String, String>> about = parameters.about(list, segment);
        about.ifPresent(some -> some.put(ExportJob.COLUMNS, String.join("\n", SubscriberExport.columns(list))));
        return about.map(some -> jobs.start(id, job, some, by));
    }

    public Optional<ListStatistics> statistics(SetJobs.Status job) {
        return job.function().equals(STATISTICS) ? jobs.result(job.id(), ListStatistics.FORM) : Optional.empty();
    }

    /** Returns the file of a finished job, while it is kept. */
    public Optional<ExportedFile> file(SetJobs.Status job) {
        return job.function().equals(EXPORT)
                ? jobs.result(job.id(), ExportedFile.FORM)
                        .filter(file -> file.parts().isEmpty() || kept(job, file))
                : Optional.empty();
    }

    private boolean kept(SetJobs.Status job, ExportedFile file) {
        String first = file.parts().get(0).blob();
        try (InputStream content =
                jobs.file(job.id(), first).map(BlobStore.OpenBlob::content).orElse(null)) {
            return content != null;
        } catch (IOException notClosed) {
            return true;
        }
    }

    /**
     * Writes the file part by part, so that it is never in memory as a whole.
     *
     * @throws IOException also if a part is deleted meanwhile, which leaves the output incomplete
     */
    public void write(SetJobs.Status job, ExportedFile file, OutputStream out) throws IOException {
        out.write(header(job));
        for (ExportedFile.Part part : file.parts()) {
            BlobStore.OpenBlob blob = jobs.file(job.id(), part.blob())
                    .orElseThrow(() -> new IOException("the file of job " + job.id() + " is kept no longer"));
            try (InputStream content = blob.content()) {
                content.transferTo(out);
            }
        }
    }

    /** Returns the size of the file that {@link #write} writes. */
    public long bytes(SetJobs.Status job, ExportedFile file) throws IOException {
        return header(job).length + file.bytes();
    }

    private static byte[] header(SetJobs.Status job) throws IOException {
        Writer header = new StringWriter();
        SubscriberExport.writeHeader(ExportJob.columns(job.about()), header);
        return header.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The file of an export. Each part is a blob; no part contains the header line of the file. */
    public record ExportedFile(List<Part> parts) {

        static final TextCodec<ExportedFile> FORM = TextCodec.json(ExportedFile.class);

        /**
         * A part of the file.
         *
         * @param number the number in its shard, from 0
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

        private long bytes() {
            return parts.stream().mapToLong(Part::bytes).sum();
        }
    }
}
