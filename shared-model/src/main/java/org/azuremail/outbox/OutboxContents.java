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
import org.azuremail.storage.Container;

/**
 * The contents that emails share, as blobs {@code <day>/<fingerprint>}: each content once a day, so that a day's
 * contents can be deleted after its emails.
 */
final class OutboxContents {

    static final String CONTAINER = "azuremail-outbox";

    private static final int REMEMBERED = 16;

    private final Container blobs;
    private final Map<String, String> stored = lastUsed();
    private final Map<String, MimeTemplate> read = lastUsed();

    OutboxContents(BlobStore blobs) {
        this.blobs = new Container(blobs, CONTAINER);
    }

    private static <T> Map<String, T> lastUsed() {
        return Collections.synchronizedMap(new LinkedHashMap<>(REMEMBERED * 2, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > REMEMBERED;
            }
        });
    }

    /** Stores the content unless it exists, and returns its name. */
    String store(MailContent content, Instant now) {
        LocalDate day = day(now);
        String key = day + "/" + content.id();
        String known = stored.get(key);
        if (known != null) {
            return known;
        }
        byte[] file = ContentFile.write(content);
        String name = day + "/" + OutboxKeys.fingerprint(file);
        blobs.put(name, file, BlobStore.ABSENT);
        stored.put(key, name);
        return name;
    }

    Optional<MimeTemplate> find(String name) {
        MimeTemplate known = read.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<MimeTemplate> found = blobs.read(name).map(ContentFile::read).map(MimeTemplate::new);
        found.ifPresent(template -> read.put(name, template));
        return found;
    }

    /** Deletes the contents of all days before the day of this instant. */
    void trim(Instant before) {
        String first = day(before).toString();
        blobs.stream("").takeWhile(blob -> blob.name().compareTo(first) < 0).forEach(blob -> blobs.delete(blob.name()));
    }

    private static LocalDate day(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }
}
