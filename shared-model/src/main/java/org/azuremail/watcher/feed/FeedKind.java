package org.azuremail.watcher.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.reopen.LastRestore;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.MessageCreateResult;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.feed.FeedEntries.PendingEntry;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns the entries of a feed into messages. An entry's row and the ref of its message are written before the message
 * is created under that ref. So after the death of any process, the next turn creates the same message or none (A71).
 */
record FeedKind(FeedFetcher fetch, FeedEntries entries, Messages messages, LastRestore lastRestore, Time time)
        implements WatcherKind {

    private static final Duration MAX_REST = Duration.ofHours(6);

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public Map<String, String> faults(Map<String, String> settings) {
        return FeedSettings.faults(settings);
    }

    @Override
    public Map<String, String> defaults() {
        return FeedSettings.DEFAULTS;
    }

    @Override
    public Reason test(Watcher watcher) throws WatcherException {
        FeedFetcher.Response answer =
                fetch.get(FeedSettings.of(watcher.settings()).address(), "", "");
        return Reason.of(
                FeedReason.FEED_READS,
                FeedReader.read(answer, FeedReader.MAX_ENTRIES).size());
    }

    private record Reading(FeedState state, Reason result, Duration pause, boolean trouble) {}

    @Override
    public TurnResult turn(Watcher watcher, TurnContext context) throws PermanentWatcherException {
        FeedSettings settings = FeedSettings.of(watcher.settings());
        Reading reading = read(watcher, settings);
        FeedState state = reading.state();
        Reason result = reading.result();
        boolean trouble = reading.trouble();
        if (state.waiting() && !isInDoubt(watcher, state)) {
            try {
                state = state.with(create(watcher, settings, context));
            } catch (FeedException refused) {
                result = refused.reason();
                trouble = true;
            }
        }
        if (reading.result().is(FeedReason.FEED_GONE)) {
            throw new PermanentWatcherException(result);
        }
        Duration rest = settings.rest(time.instant());
        return new TurnResult(Durations.max(rest, reading.pause()), state.stored(), result, trouble);
    }

    /**
     * Returns whether entries may have got a message after the backup from which the storage was restored. The first
     * reading after the restore decides that.
     */
    private boolean isInDoubt(Watcher watcher, FeedState state) {
        Optional<Instant> restoredAt = lastRestore.noticedAt();
        return restoredAt.isPresent()
                && !restoredAt.get().equals(state.restoreHandled())
                && !entries.firstReadAt(watcher, state.address())
                        .orElse(watcher.createdAt())
                        .isAfter(restoredAt.get());
    }

    private Reading read(Watcher watcher, FeedSettings settings) {
        String address = settings.address().toString();
        FeedState before = FeedState.read(watcher.progress().state(), address);
        boolean inDoubt = isInDoubt(watcher, before);
        try {
            FeedFetcher.Response answer = inDoubt
                    ? fetch.get(settings.address(), "", "")
                    : fetch.get(settings.address(), before.etag(), before.modified());
            Reading reading = answer.unchanged()
                    ? new Reading(before, nothingNew(watcher), Duration.ZERO, false)
                    : take(watcher, settings, before, answer, inDoubt);
            return answer.from().equals(settings.address()) ? reading : redirected(reading, answer);
        } catch (FeedException trouble) {
            return new Reading(before, trouble.reason(), trouble.pause(), true);
        }
    }

    private static Reading redirected(Reading reading, FeedFetcher.Response answer) {
        Reason result = reading.result().is(FeedReason.FEED_REDIRECTED)
                ? reading.result().cause(1)
                : reading.result();
        return new Reading(
                reading.state(),
                Reason.of(
                        FeedReason.FEED_REDIRECTED,
                        FeedFetcher.truncate(answer.from().toString()),
                        result),
                reading.pause(),
                reading.trouble());
    }

    /** Keeps the last news as the result, so that a feed without news costs no write. */
    private static Reason nothingNew(Watcher watcher) {
        Reason before = watcher.progress().result();
        Reason inner = before.is(FeedReason.FEED_REDIRECTED) ? before.cause(1) : before;
        boolean news =
                inner.is(FeedReason.FEED_NEW) || inner.is(FeedReason.FEED_MARKED) || inner.is(FeedReason.FEED_RESTORED);
        return news ? inner : Reason.of(FeedReason.FEED_NOTHING_NEW);
    }

    private Reading take(
            Watcher watcher, FeedSettings settings, FeedState before, FeedFetcher.Response answer, boolean inDoubt)
            throws FeedException {
        boolean first = before.known().isEmpty()
                && entries.firstReadAt(watcher, before.address()).isEmpty();
        List<FeedEntry> read = FeedReader.read(answer, first ? Integer.MAX_VALUE : FeedReader.MAX_ENTRIES);
        int older = Math.max(0, read.size() - FeedReader.MAX_ENTRIES);
        List<FeedEntry> latest = read.subList(older, read.size());
        List<FeedEntry> unknown = latest.stream()
                .filter(entry -> !before.known().contains(FeedEntries.key(watcher, before.address(), entry)))
                // Notes of earlier versions contain hashes of the ids.
                .filter(entry -> !before.known().contains(FeedEntries.hash(entry.id())))
                .toList();
        int waiting = inDoubt || unknown.isEmpty() || !before.waiting()
                ? 0
                : entries.waiting(watcher).size();
        if (waiting + unknown.size() > FeedEntries.MAX_WAITING) {
            return new Reading(before, Reason.of(FeedReason.FEED_FULL, waiting), Duration.ZERO, true);
        }
        // Otherwise, they would be new once later ones disappear from the feed.
        remember(watcher, before, read.subList(0, older), true);
        Reason result = inDoubt
                ? settleDoubt(watcher, settings, before, unknown)
                : first
                        ? rememberFirst(watcher, settings, before, unknown, older)
                        : remember(watcher, before, unknown, false);
        FeedState after = new FeedState(
                before.address(),
                answer.etag(),
                answer.modified(),
                latest.stream()
                        .map(entry -> FeedEntries.key(watcher, before.address(), entry))
                        .collect(Collectors.toSet()),
                before.waiting() || !unknown.isEmpty(),
                lastRestore.noticedAt().orElse(null));
        return new Reading(after, result, Duration.ZERO, false);
    }

    /** @param marked how many older entries of the first reading are marked already */
    private Reason rememberFirst(
            Watcher watcher, FeedSettings settings, FeedState before, List<FeedEntry> latest, int marked) {
        Reason result = remember(watcher, before, latest, !settings.sendsFirst());
        entries.markRead(watcher, before.address(), time.instant());
        return settings.sendsFirst() ? result : Reason.of(FeedReason.FEED_MARKED, marked + latest.size());
    }

    private Reason remember(Watcher watcher, FeedState before, List<FeedEntry> unknown, boolean marked) {
        int fresh = entries.remember(watcher, before.address(), unknown, time.instant(), marked);
        return fresh == 0 ? nothingNew(watcher) : Reason.of(FeedReason.FEED_NEW, fresh);
    }

    /**
     * Marks the entries that may have got a message after the backup: those that the storage does not know, and those
     * that waited for a message that was due before the restore. A draft is created once more, because nobody gets it.
     */
    private Reason settleDoubt(Watcher watcher, FeedSettings settings, FeedState before, List<FeedEntry> unknown) {
        Instant now = time.instant();
        boolean draft = settings.what() == FeedSettings.PublishMode.DRAFT;
        int fresh = entries.remember(watcher, before.address(), unknown, now, !draft);
        List<PendingEntry> doubtful = draft ? List.of() : doubtful(watcher, settings);
        entries.done(watcher, doubtful);
        entries.markRead(watcher, before.address(), now);
        return draft && fresh > 0
                ? Reason.of(FeedReason.FEED_NEW, fresh)
                : Reason.of(FeedReason.FEED_RESTORED, fresh + doubtful.size());
    }

    private List<PendingEntry> doubtful(Watcher watcher, FeedSettings settings) {
        List<PendingEntry> waiting = entries.waiting(watcher);
        if (settings.what() == FeedSettings.PublishMode.COUNT) {
            return waiting;
        }
        List<PendingEntry> due = settings.due(waiting, lastRestore.noticedAt().orElseThrow()).stream()
                .flatMap(List::stream)
                .toList();
        return waiting.stream()
                .filter(entry -> entry.message() != null || due.contains(entry))
                .toList();
    }

    /** Creates the messages that are due. Returns whether entries still wait. */
    private boolean create(Watcher watcher, FeedSettings settings, TurnContext context) throws FeedException {
        List<PendingEntry> waiting = entries.waiting(watcher);
        List<PendingEntry> unassigned =
                waiting.stream().filter(entry -> entry.message() == null).toList();
        Instant now = time.instant();
        List<List<PendingEntry>> due = settings.due(unassigned, now);
        due.forEach(group -> entries.assignMessage(watcher, group, messages.nextRef(), now));
        List<PendingEntry> ready = due.isEmpty() ? waiting : entries.waiting(watcher);
        Map<MessageRef, List<PendingEntry>> byMessage = ready.stream()
                .filter(entry -> entry.message() != null)
                .collect(Collectors.groupingBy(PendingEntry::message, LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<MessageRef, List<PendingEntry>> message : byMessage.entrySet()) {
            if (context.stopRequested()) {
                return true;
            }
            create(watcher, settings, message.getKey(), message.getValue());
        }
        return !ready.isEmpty();
    }

    private void create(Watcher watcher, FeedSettings settings, MessageRef ref, List<PendingEntry> group)
            throws FeedException {
        if (messages.find(ref).isEmpty()) {
            MessageCreateResult creation =
                    messages.create(ref, message(watcher, settings, group), () -> !messages.wasDeleted(ref));
            if (creation instanceof MessageCreateResult.Refused refused) {
                throw new FeedException(
                        FeedReason.FEED_REFUSED, refused.problems().get(0).reason());
            }
        }
        entries.done(watcher, group);
    }

    private static Messages.NewMessage message(Watcher watcher, FeedSettings settings, List<PendingEntry> group) {
        List<FeedEntry> shown = group.stream().map(PendingEntry::entry).toList();
        boolean digest = settings.what().digest();
        String markdown =
                shown.stream().map(entry -> entry.markdown(digest ? "##" : "#")).collect(Collectors.joining("\n"));
        Draft draft =
                new Draft(subject(settings, shown), new byte[0], null, markdown, new Layout(settings.template(), ""));
        Instant at = group.get(0).at();
        return new Messages.NewMessage(
                settings.list(),
                draft,
                new Schedule(at == null ? group.get(0).seenAt() : at, settings.zone()),
                OnUnknown.HOLD,
                watcher.name(),
                settings.what() == FeedSettings.PublishMode.DRAFT);
    }

    private static String subject(FeedSettings settings, List<FeedEntry> shown) {
        FeedEntry entry = shown.get(0);
        String title = entry.title().isEmpty() ? entry.link() : entry.title();
        return settings.what().digest() ? settings.title() : (settings.title() + " " + title).strip();
    }

    /** The tries are never used up, because a storage outage ends by itself. */
    @Override
    public Optional<Duration> retry(int failures) {
        return WatcherKind.exponentialBackoff(failures, MAX_REST);
    }

    /**
     * A watcher's notes from turn to turn. They only save calls; without them, the rows of the entries lead to the same
     * decisions.
     *
     * @param address the address to which the notes belong
     * @param known the rows of the entries that the feed had last time
     * @param waiting whether entries wait for their message
     * @param restoreHandled the restore after which the feed was read; {@code null} if there was none, and in notes of
     *     an earlier version
     */
    record FeedState(
            String address,
            String etag,
            String modified,
            Set<String> known,
            boolean waiting,
            @Nullable Instant restoreHandled) {

        private static final JsonMapper JSON = JsonMapper.shared();

        /** Reads notes. Notes of another address are discarded. */
        static FeedState read(String stored, String address) {
            if (!stored.isEmpty()) {
                FeedState state = JSON.readValue(stored, FeedState.class);
                if (state.address.equals(address)) {
                    return state;
                }
            }
            return new FeedState(address, "", "", Set.of(), true, null);
        }

        FeedState with(boolean nowWaiting) {
            return new FeedState(address, etag, modified, known, nowWaiting, restoreHandled);
        }

        String stored() {
            return JSON.writeValueAsString(this);
        }
    }
}
