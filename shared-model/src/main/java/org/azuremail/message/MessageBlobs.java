package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.azuremail.storage.BlobStore;

/**
 * The bodies of messages: {@code <MessageRef>.htm} and {@code .txt} in one container, UTF-8. An edited body is a new blob
 * {@code <MessageRef>.<revision>.htm}, so that an edit that is refused changes nothing.
 */
public class MessageBlobs {

    /** The container of all bodies. */
    public static final String CONTAINER = "azuremailblobcontainer";

    private final BlobStore blobs;

    public MessageBlobs(BlobStore blobs) {
        this.blobs = blobs;
        blobs.createContainer(CONTAINER);
    }

    /** Both bodies of one revision. */
    public record Bodies(String html, String text) {}

    /** Stores both bodies of a revision, whatever is there: a revision's name is used by one writer only. */
    public void put(MessageRef ref, int revision, Bodies bodies) {
        blobs.put(CONTAINER, htmlName(ref, revision), utf8(bodies.html()), BlobStore.ALWAYS);
        blobs.put(CONTAINER, textName(ref, revision), utf8(bodies.text()), BlobStore.ALWAYS);
    }

    /** Both bodies of a revision; empty when one is missing. */
    public Optional<Bodies> read(MessageRef ref, int revision) {
        Optional<String> html = read(htmlName(ref, revision));
        Optional<String> text = read(textName(ref, revision));
        return html.flatMap(h -> text.map(t -> new Bodies(h, t)));
    }

    /** Deletes the bodies of a revision, as far as they are there. */
    public void delete(MessageRef ref, int revision) {
        blobs.delete(CONTAINER, htmlName(ref, revision), BlobStore.ALWAYS);
        blobs.delete(CONTAINER, textName(ref, revision), BlobStore.ALWAYS);
    }

    /** The blob of a revision's HTML part. */
    public static String htmlName(MessageRef ref, int revision) {
        return stem(ref, revision) + ".htm";
    }

    /** The blob of a revision's text part. */
    public static String textName(MessageRef ref, int revision) {
        return stem(ref, revision) + ".txt";
    }

    private static String stem(MessageRef ref, int revision) {
        return revision == 0 ? ref.toString() : ref + "." + revision;
    }

    private Optional<String> read(String name) {
        return blobs.read(CONTAINER, name).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
