package org.azuremail.scheduler;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;

/**
 * Deletes, once a day, the bodies that no message names, which refused edits and deleted messages leave behind. On
 * Mondays it also repairs the index of drafts.
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
        blobs.stream(MessageBlobs.CONTAINER, "")
                .filter(blob -> blob.modifiedAt().isBefore(young))
                .filter(blob -> !named(blob))
                .forEach(blob ->
                        blobs.delete(MessageBlobs.CONTAINER, blob.name(), new BlobStore.Condition.AtEtag(blob.etag())));
    }

    /** Returns whether the message still names this body. Blobs that are not bodies are left alone. */
    private boolean named(BlobInfo blob) {
        Optional<MessageRef> ref = MessageBlobs.messageOf(blob.name());
        return ref.isEmpty()
                || messages.findIncludingMoving(ref.get())
                        .filter(message ->
                                MessageBlobs.isOf(ref.get(), message.content().revision(), blob.name()))
                        .isPresent();
    }
}
