package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.storage.BlobStore;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of messages, in UTF-8, and the source of rendered HTML; docs/storage-keys.md lists the names. An edited
 * body is a new blob, so that a refused edit changes nothing.
 */
public record MessageBlobs(BlobStore blobs) {

    public static final String CONTAINER = "azuremailblobcontainer";

    private static final String MARKDOWN = "markdown-";
    private static final String WRITTEN = "written-";
    private static final String LAYOUT = "layout-";

    public MessageBlobs {
        blobs.createContainer(CONTAINER);
    }

    public record Bodies(String html, String text) {}

    /**
     * Saves the bodies of a message that is to be created, under revision 0 unless another process saved its bodies
     * there before.
     *
     * @param other the revision for that case, which no other writer uses
     * @return the revision of the bodies
     */
    public int putNew(MessageRef ref, IntSupplier other, Bodies bodies, @Nullable Source source) {
        boolean first = blobs.put(
                        CONTAINER, htmlName(ref, 0), bodies.html().getBytes(StandardCharsets.UTF_8), BlobStore.ABSENT)
                .written();
        int revision = first ? 0 : other.getAsInt();
        if (first) {
            putSource(ref, 0, source);
            put(textName(ref, 0), bodies.text());
        } else {
            put(ref, revision, bodies, source);
        }
        return revision;
    }

    /**
     * Saves both bodies of a revision, replacing existing ones, and the source of the HTML if it is rendered. A
     * revision has only one writer.
     */
    public void put(MessageRef ref, int revision, Bodies bodies, @Nullable Source source) {
        putSource(ref, revision, source);
        put(htmlName(ref, revision), bodies.html());
        put(textName(ref, revision), bodies.text());
    }

    private void putSource(MessageRef ref, int revision, @Nullable Source source) {
        if (source != null) {
            Layout layout = source.layout();
            put(layoutName(ref, revision), layout.template() + "\n" + layout.preview());
            put(source.markdown() ? markdownName(ref, revision) : writtenName(ref, revision), source.written());
        }
    }

    private void put(String name, String content) {
        blobs.put(CONTAINER, name, content.getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
    }

    /** Returns the source of a revision's HTML; empty when the HTML was not rendered. */
    public Optional<Source> source(MessageRef ref, int revision) {
        return read(markdownName(ref, revision))
                .map(markdown -> new Source(markdown, true, layout(ref, revision)))
                .or(() -> read(writtenName(ref, revision)).map(html -> new Source(html, false, layout(ref, revision))));
    }

    /** Reads the layout. Older versions had one layout for Markdown and did not save it. */
    private Layout layout(MessageRef ref, int revision) {
        return read(layoutName(ref, revision))
                .map(text -> text.split("\n", 2))
                .map(lines -> new Layout(lines[0], lines.length > 1 ? lines[1] : ""))
                .orElse(Layout.LETTER);
    }

    /** Returns both bodies of a revision; empty when one is missing. */
    public Optional<Bodies> read(MessageRef ref, int revision) {
        Optional<String> html = read(htmlName(ref, revision));
        Optional<String> text = read(textName(ref, revision));
        return html.flatMap(h -> text.map(t -> new Bodies(h, t)));
    }

    /**
     * Deletes the existing bodies of a revision. The HTML is deleted last, because {@link #putNew} does not use a
     * revision whose HTML exists.
     */
    public void delete(MessageRef ref, int revision) {
        names(ref, revision).forEach(name -> blobs.delete(CONTAINER, name, BlobStore.ALWAYS));
    }

    /** Returns the message to which a blob belongs; empty if it belongs to none. */
    public static Optional<MessageRef> messageOf(String blob) {
        String name = Stream.of(MARKDOWN, WRITTEN, LAYOUT)
                .filter(blob::startsWith)
                .findFirst()
                .map(prefix -> blob.substring(prefix.length()))
                .orElse(blob);
        int dot = name.indexOf('.');
        return dot < 0 ? Optional.empty() : MessageRef.parse(name.substring(0, dot));
    }

    public static boolean isOf(MessageRef ref, int revision, String blob) {
        return names(ref, revision).contains(blob);
    }

    public static String htmlName(MessageRef ref, int revision) {
        return stem(ref, revision) + ".htm";
    }

    public static String textName(MessageRef ref, int revision) {
        return stem(ref, revision) + ".txt";
    }

    private static String markdownName(MessageRef ref, int revision) {
        return MARKDOWN + stem(ref, revision) + ".md";
    }

    private static String writtenName(MessageRef ref, int revision) {
        return WRITTEN + htmlName(ref, revision);
    }

    private static String layoutName(MessageRef ref, int revision) {
        return LAYOUT + textName(ref, revision);
    }

    private static List<String> names(MessageRef ref, int revision) {
        return List.of(
                textName(ref, revision),
                markdownName(ref, revision),
                writtenName(ref, revision),
                layoutName(ref, revision),
                htmlName(ref, revision));
    }

    private static String stem(MessageRef ref, int revision) {
        return revision == 0 ? ref.toString() : ref + "." + revision;
    }

    private Optional<String> read(String name) {
        return blobs.read(CONTAINER, name).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
}
