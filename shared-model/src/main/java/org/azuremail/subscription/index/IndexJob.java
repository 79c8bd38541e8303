package org.azuremail.subscription.index;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.blobset.CountingJob;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.time.Time;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Indexes the subscribers of a list, shard by shard, one page in each step. It stops if the fields change, because that
 * starts another job. Searches use the index only after the end of the job that the list's state names.
 */
record IndexJob(ListStore lists, FieldStore fields, IndexStore states, SubscriberConverter converter, Time time)
        implements CountingJob<Integer> {

    static final String NAME = "field-index";

    private static final String REVISION = "revision";
    private static final String CHECK = "check";

    static Map<String, String> about(MailingList list, IndexState.Run run, long people) {
        return Map.of(
                SetJobs.LIST,
                list.name().value(),
                SetJobs.PEOPLE,
                Long.toString(people),
                REVISION,
                Long.toString(run.revision()),
                CHECK,
                Boolean.toString(run.check()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TextCodec<Integer> values() {
        return TextCodec.json(Integer.class);
    }

    @Override
    public int pieceSize() {
        return 1;
    }

    @Override
    public void fill(BlobSet<Integer> set, Map<String, String> about) throws SetJob.Failure {
        MailingList list = require(about);
        for (int shard = 0; shard < list.shards(); shard++) {
            set.put(String.format(Locale.ROOT, "%04d", shard), shard);
        }
    }

    @Override
    public Step<Long> work(SetJob.Piece piece, List<Element<Integer>> values, @Nullable Long soFar)
            throws SetJob.Failure {
        Map<String, String> about = piece.about();
        IndexState.Run run = new IndexState.Run(
                piece.job(),
                Long.parseLong(about.getOrDefault(REVISION, "0")),
                Boolean.parseBoolean(about.getOrDefault(CHECK, "")));
        int shard = values.get(0).value();
        long before = soFar == null ? 0 : soFar;
        Optional<SubscriberConverter.Converted> page = converter.page(require(about), run, shard, piece.next());
        return page.map(done -> new Step<>(before + done.subscribers(), done.last(), done.subscribers()))
                .orElseGet(() -> Step.last(before, 0));
    }

    @Override
    public void done(End<Long> end) {
        name(end.about()).flatMap(lists::findActive).ifPresent(list -> {
            fields.recordConverted(list.name(), Long.parseLong(end.about().getOrDefault(REVISION, "0")));
            states.change(
                    list.name(),
                    state -> state.runs(end.job()) ? state.finished(fields.of(list), time.instant()) : state);
        });
    }

    @Override
    public void stopped(String job, Map<String, String> about) {
        name(about).ifPresent(list -> states.change(list, state -> state.runs(job) ? state.withStoppedRun() : state));
    }

    private static Optional<ListName> name(Map<String, String> about) {
        return ListName.parse(about.getOrDefault(SetJobs.LIST, ""));
    }

    private MailingList require(Map<String, String> about) throws SetJob.Failure {
        String list = about.getOrDefault(SetJobs.LIST, "");
        return name(about)
                .flatMap(lists::findActive)
                .orElseThrow(() -> new SetJob.Failure(Reason.of(ReasonCode.LIST_GONE, list)));
    }
}
