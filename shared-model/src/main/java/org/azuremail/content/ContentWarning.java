package org.azuremail.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.jsoup.nodes.Element;

/** Warnings for the author of a message, which may be sent nevertheless. */
public enum ContentWarning implements Reason.Code {
    /** The parameter is the address of the image. */
    IMAGE_WITHOUT_ALT,
    /** The parameter is the address of the image, or its alternative text if the address is empty. */
    IMAGE_ODD,
    /** The parameter is the address of the link, or its text if the address is empty. */
    LINK_ODD,
    /** The text of a link is the address of another site. The parameters are the text and the link's host. */
    LINK_ELSEWHERE,
    /** The parameter is the number of characters that most inboxes show. */
    SUBJECT_CUT_OFF,
    /** Spam filters dislike subjects in capitals and rows of exclamation marks. */
    SUBJECT_LOUD,
    /** A template shows a preview text, and the message has none. */
    PREVIEW_TEXT_MISSING,
    /** People without a value see an empty place. The parameters are the field, and the field with a fallback. */
    FIELD_WITHOUT_FALLBACK,
    /** The same where they were counted. The parameters are these two, and the number of these people. */
    FIELD_WITHOUT_VALUES,
    /** The parameter is the number of KB after which Gmail cuts an email off. */
    HTML_CLIPPED;

    private static final int SUBJECT_SHOWN = 60;

    /** Fewer capitals are an abbreviation rather than a shout. */
    private static final int LOUD_LETTERS = 8;

    private static final int GMAIL_CLIPS_AT_KIB = 102;

    private static final Pattern MERGE_FIELD = Pattern.compile("\\{\\{[^}]*}}");

    private static final Pattern MANY_MARKS = Pattern.compile("!\\s*!|\\$\\$");

    private static final Pattern HOST = Pattern.compile(
            "(?:https?://)?((?:[\\p{L}\\p{N}-]{1,63}\\.)+\\p{L}{2,63})(?:[/?#:].*)?", Pattern.CASE_INSENSITIVE);

    /** The most warnings of a kind that are reported at a time. */
    private static final int MAX_OF_A_KIND = 5;

    private static final Pattern LOADS =
            Pattern.compile("(?:https?://[^\\s/?#]|\\{\\{).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern OPENS = Pattern.compile(
            "(?:https?://[^\\s/?#]|(?:mailto|tel):[^\\s]|\\{\\{|#).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Returns the warnings about a subject line, in which the values of merge fields do not count. */
    public static List<Reason> ofSubject(String subject) {
        String own = MERGE_FIELD.matcher(subject).replaceAll("").strip();
        List<Reason> found = new ArrayList<>();
        if (own.codePointCount(0, own.length()) > SUBJECT_SHOWN) {
            found.add(Reason.of(SUBJECT_CUT_OFF, SUBJECT_SHOWN));
        }
        boolean capitals = own.codePoints().filter(Character::isUpperCase).count() >= LOUD_LETTERS
                && own.codePoints().noneMatch(Character::isLowerCase);
        if (capitals || MANY_MARKS.matcher(own).find()) {
            found.add(Reason.of(SUBJECT_LOUD));
        }
        return found;
    }

    /**
     * Returns the warning about a merge field without a fallback.
     *
     * @param people the number of people without a value; empty if it is unknown
     */
    public static Optional<Reason> ofField(String field, OptionalLong people) {
        String typed = "{{" + field + "}}";
        String better = "{{" + field + "|…}}";
        if (people.isEmpty()) {
            return Optional.of(Reason.of(FIELD_WITHOUT_FALLBACK, typed, better));
        }
        return people.getAsLong() == 0
                ? Optional.empty()
                : Optional.of(Reason.of(FIELD_WITHOUT_VALUES, typed, better, people.getAsLong()));
    }

    /** Returns the warning if an email of this size is cut off by Gmail, with the link to unsubscribe at its end. */
    public static Optional<Reason> ofSize(long bytes) {
        return bytes > GMAIL_CLIPS_AT_KIB * 1024L
                ? Optional.of(Reason.of(HTML_CLIPPED, GMAIL_CLIPS_AT_KIB))
                : Optional.empty();
    }

    /**
     * Returns the warnings about a document.
     *
     * @param markdown whether it is rendered from Markdown, which writes an image without alternative text as a
     *     decorative one
     */
    public static List<Reason> of(String html, boolean markdown) {
        List<Reason> found = new ArrayList<>();
        ContentLink.read(html, false, (element, text) -> {
            switch (element.normalName()) {
                case "img" -> checkImage(element, markdown, found);
                case "a" -> checkLink(element.attr("href").strip(), text.strip(), found);
                default -> {}
            }
        });
        return found;
    }

    private static void checkImage(Element image, boolean markdown, List<Reason> found) {
        String alt = image.attr("alt");
        if (!image.hasAttr("alt") || (markdown && alt.isBlank())) {
            add(found, IMAGE_WITHOUT_ALT, image.attr("src"));
        }
        String address = image.attr("src").strip();
        if (!LOADS.matcher(address).matches()) {
            add(found, IMAGE_ODD, address.isEmpty() ? alt : address);
        }
    }

    private static void checkLink(String address, String text, List<Reason> found) {
        Matcher shown = HOST.matcher(text);
        Matcher real = HOST.matcher(address);
        if (!OPENS.matcher(address).matches()) {
            add(found, LINK_ODD, address.isEmpty() ? text : address);
        } else if (shown.matches() && real.matches() && !sameSite(shown.group(1), real.group(1))) {
            add(found, LINK_ELSEWHERE, text, real.group(1));
        }
    }

    private static boolean sameSite(String one, String other) {
        String a = "." + one.toLowerCase(Locale.ROOT);
        String b = "." + other.toLowerCase(Locale.ROOT);
        return a.endsWith(b) || b.endsWith(a);
    }

    private static void add(List<Reason> found, ContentWarning warning, String... values) {
        if (found.stream().filter(one -> one.is(warning)).count() < MAX_OF_A_KIND) {
            found.add(Reason.of(
                    warning, Stream.of(values).map(ContentLink::shortened).toArray()));
        }
    }
}
