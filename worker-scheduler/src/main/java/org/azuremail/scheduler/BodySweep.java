package org.azuremail.scheduler;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;

/**
 * Deletes, once a day, the bodies that no message names, which refused edits and deleted messages leave behind. It
 * reads final messages by the thousand, and a single message only if it is not final or another revision of its bodies
 * exists. On Mondays it also repairs the index of drafts.
 */
record BodySweep(MessageStore messages, BlobStore blobs, Time time) implements ScheduledService {

    private static final Duration DAY = Duration.ofDays(1);

    @Override
    public String name() {
        return "body-sweep";
    }

    @Override
    public void run() {
        if (time.instant().atOffset(ZoneOffset.UTC).getDayOfWeek() == DayOfWeek.MONDAY) {
            messages.sweepDrafts(time.instant());
        }
        Instant young = time.instant().minus(DAY);
        Iterator<BlobInfo> old = blobs.stream(MessageBlobs.CONTAINER, "")
                .filter(blob -> blob.modifiedAt().isBefore(young))
                .iterator();
        Map<MessageRef, Integer> revisions = old.hasNext() ? archivedRevisions() : Map.of();
        while (old.hasNext()) {
            BlobInfo blob = old.next();
            if (!named(blob, revisions)) {
                blobs.delete(MessageBlobs.CONTAINER, blob.name(), new BlobStore.Condition.AtEtag(blob.etag()));
            }
        }
    }

    private Map<MessageRef, Integer> archivedRevisions() {
        Map<MessageRef, Integer> revisions = new HashMap<>();
        messages.archived()
                .forEach(message ->
                        revisions.put(message.ref(), message.content().revision()));
        return revisions;
    }

    /**
     * Returns whether the message still names this body. Blobs that are not bodies are left alone.
     *
     * @param revisions the known revisions of messages. A blob is not deleted without reading the message again
     */
    private boolean named(BlobInfo blob, Map<MessageRef, Integer> revisions) {
        Optional<MessageRef> ref = MessageBlobs.messageOf(blob.name());
        if (ref.isEmpty() || isOf(ref.get(), revisions, blob)) {
            return true;
        }
        revisions.remove(ref.get());
        messages.findIncludingMoving(ref.get())
                .ifPresent(message -> revisions.put(ref.get(), message.content().revision()));
        return isOf(ref.get(), revisions, blob);
    }

    private static boolean isOf(MessageRef ref, Map<MessageRef, Integer> revisions, BlobInfo blob) {
        Integer revision = revisions.get(ref);
        return revision != null && MessageBlobs.isOf(ref, revision, blob.name());
    }
}
