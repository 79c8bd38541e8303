package org.azuremail.watcher.feed;

import java.net.URI;
import java.util.regex.Pattern;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;

/**
 * An entry as a message shows it: plain text, and addresses that begin with http or https or are empty.
 *
 * @param id the feed's id of the entry, which an edit does not change
 */
record FeedEntry(String id, String title, String link, String summary, String image) {

    static final int MAX_TITLE_LENGTH = 200;
    static final int MAX_SUMMARY_LENGTH = 600;
    private static final int MAX_ID_LENGTH = 1_000;

    private static final Pattern MARKDOWN_SPECIAL = Pattern.compile("[\\p{Punct}]");

    private static final Pattern BRACES = Pattern.compile("\\{(?=\\{)");

    FeedEntry {
        id = id.length() <= MAX_ID_LENGTH
                ? Reason.truncate(id, MAX_ID_LENGTH)
                : Reason.truncate(id, MAX_ID_LENGTH / 2) + "…" + FeedEntries.hash(id);
        title = escapeMergeFields(cut(line(title), MAX_TITLE_LENGTH));
        summary = escapeMergeFields(cut(line(summary), MAX_SUMMARY_LENGTH));
        link = address(link);
        image = address(image);
    }

    private static String line(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\s]+", " ").strip();
    }

    static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = text.offsetByCodePoints(0, Math.min(longest - 1, text.codePointCount(0, text.length()) - 1));
        return text.substring(0, Math.min(end, longest)).strip() + "…";
    }

    /** Escapes the text, so that text of the feed is never read as a merge field. */
    private static String escapeMergeFields(String text) {
        return BRACES.matcher(text).replaceAll("{ ");
    }

    private static String address(String text) {
        return PublicAddresses.parse(text).map(URI::toASCIIString).orElse("");
    }

    String markdown(String heading) {
        String name = escaped(title.isEmpty() ? link : title);
        StringBuilder text = new StringBuilder(heading).append(' ');
        text.append(link.isEmpty() ? name : "[" + name + "](<" + link + ">)").append("\n\n");
        if (!image.isEmpty()) {
            text.append("![").append(name).append("](<").append(image).append(">)\n\n");
        }
        return text.append(escaped(summary)).append('\n').toString();
    }

    private static String escaped(String text) {
        return MARKDOWN_SPECIAL.matcher(text).replaceAll("\\\\$0");
    }

    static FeedEntry from(Values v) {
        return new FeedEntry(
                v.requireString("EntryId"),
                v.string("Title", ""),
                v.string("Link", ""),
                v.string("Summary", ""),
                v.string("Image", ""));
    }

    Values.Builder toValues() {
        return Values.builder()
                .put("EntryId", id)
                .put("Title", title)
                .put("Link", link)
                .put("Summary", summary)
                .put("Image", image);
    }
}
