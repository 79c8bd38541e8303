package org.azuremail.web.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.storage.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** All messages in one list: those that are not final in order of their dates, then the others, newest first. */
@Component
record MessageListing(Messages messages, MessageDesk desk) {

    /** The number of messages read at a time; a page has fewer than twice as many. */
    private static final int PAGE = 50;

    /** Of how many a page is chosen; then it is left to the reader whether to look further. */
    private static final int MOST = 1000;

    private static final String UNFINISHED = "u.";
    private static final String FINAL = "f.";

    enum Tab {
        ALL,
        DRAFTS,
        SCHEDULED,
        SENDING,
        SENT;

        static Tab of(@Nullable String word) {
            for (Tab tab : values()) {
                if (tab.word().equals(word)) {
                    return tab;
                }
            }
            return ALL;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Tab tabOf(Message message) {
        if (message.completedAt() != null) {
            return Tab.SENT;
        }
        if (desk.draft(message)) {
            return Tab.DRAFTS;
        }
        return message.begun() || message.due(desk.now()) ? Tab.SENDING : Tab.SCHEDULED;
    }

    /**
     * A page of a tab; fewer than fit, even none, may be on it though the list goes on.
     *
     * @param words a message's number, the beginning of its list's name, or of its subject or a word in that; may be blank
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    Page<Message> page(Tab tab, String words, @Nullable String cursor) {
        Pattern wanted =
                Pattern.compile("(?iuU)(^|\\W)" + Pattern.quote(words.strip().replaceAll("\\s+", " ")));
        List<Message> found = new ArrayList<>();
        String at = cursor == null ? (tab == Tab.SENT ? FINAL : UNFINISHED) : cursor;
        if (cursor == null) {
            MessageRef.parse(words.strip())
                    .flatMap(messages::find)
                    .filter(one -> tab == Tab.ALL || tabOf(one) == tab)
                    .ifPresent(found::add);
        }
        for (int looked = 0; at != null && found.size() < PAGE && looked < MOST; looked += PAGE) {
            boolean any = words.isBlank() && (tab == Tab.ALL || tab == Tab.SENT);
            Page<Message> read = read(at, any ? PAGE - found.size() : PAGE);
            read.items().stream()
                    .filter(one -> tab == Tab.ALL || tabOf(one) == tab)
                    .filter(one -> words.isBlank() || matches(one, wanted))
                    .filter(one -> !found.contains(one))
                    .forEach(found::add);
            at = next(at, read.continuation(), tab);
        }
        return new Page<>(found, at);
    }

    private static boolean matches(Message message, Pattern wanted) {
        return wanted.matcher(message.subject().strip().replaceAll("\\s+", " ")).find()
                || message.lists().stream()
                        .anyMatch(list -> wanted.matcher(list.value()).lookingAt());
    }

    private Page<Message> read(String at, int limit) {
        String inside = at.length() > 2 ? at.substring(2) : null;
        if (at.startsWith(UNFINISHED)) {
            return messages.active(limit, inside);
        }
        if (at.startsWith(FINAL)) {
            return messages.sent(limit, inside);
        }
        throw new IllegalArgumentException("not a cursor");
    }

    private static @Nullable String next(String at, @Nullable String continuation, Tab tab) {
        if (continuation != null) {
            return at.substring(0, 2) + continuation;
        }
        return tab == Tab.ALL && at.startsWith(UNFINISHED) ? FINAL : null;
    }
}
