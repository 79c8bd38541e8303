package org.azuremail.outbox;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.storage.BlobStore;

/**
 * The contents that emails share, as blobs {@code <day>/<fingerprint>}: each content once a day, so that a day's contents can
 * be deleted after its mails.
 */
final class OutboxContents {

    static final String CONTAINER = "azuremail-outbox";

    private static final int REMEMBERED = 16;

    private final BlobStore blobs;
    private final Map<String, String> stored = lastUsed();
    private final Map<String, MimeTemplate> read = lastUsed();

    OutboxContents(BlobStore blobs) {
        this.blobs = blobs;
    }

    /** Whether this process has created the container. */
    private volatile boolean created;

    private static <T> Map<String, T> lastUsed() {
        return Collections.synchronizedMap(new LinkedHashMap<>(REMEMBERED * 2, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    /** Stores the content unless it is there, and returns its name. */
    String store(MailContent content, Instant now) {
        LocalDate day = day(now);
        String key = day + "/" + content.id();
        String known = stored.get(key);
        if (known != null) {
            return known;
        }
        byte[] file = ContentFile.write(content);
        create();
        String name = day + "/" + OutboxKeys.fingerprint(file);
        blobs.put(CONTAINER, name, file, BlobStore.ABSENT);
        stored.put(key, name);
        return name;
    }

    /** The content under a name; empty when it is gone. */
    Optional<MimeTemplate> find(String name) {
        MimeTemplate known = read.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<MimeTemplate> found =
                blobs.read(CONTAINER, name).map(ContentFile::read).map(MimeTemplate::new);
        found.ifPresent(template -> read.put(name, template));
        return found;
    }

    /** Removes the contents of the days before the one of this instant. */
    void trim(Instant before) {
        String first = day(before).toString();
        create();
        blobs.stream(CONTAINER, "")
                .takeWhile(blob -> blob.name().compareTo(first) < 0)
                .forEach(blob -> blobs.delete(CONTAINER, blob.name(), BlobStore.ALWAYS));
    }

    private void create() {
        if (!created) {
            blobs.createContainer(CONTAINER);
            created = true;
        }
    }

    private static LocalDate day(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }
}
