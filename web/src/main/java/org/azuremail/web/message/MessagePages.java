package org.azuremail.web.message;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.id.AsciiWord;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that list all messages, and duplicate or delete one. */
@Controller
record MessagePages(Messages messages, MessagePageSupport support, DraftSending drafts) {

    /** The number of messages read at a time; a page has fewer than twice as many. */
    private static final int PAGE = 50;

    /** The most messages read to fill one page. A search that finds too few offers a link to look further. */
    private static final int MAX_SCANNED = 1000;

    private static final String UNFINISHED = "u.";
    private static final String FINAL = "f.";

    private static final String NOT_PENDING = "error.message.not-pending-to-delete";
    private static final String GREETING = "error.message.greeting-sends-it";

    @GetMapping("/messages")
    String all(
            @RequestParam @Nullable String tab,
            @RequestParam(defaultValue = "") String q,
            @RequestParam @Nullable String cursor,
            Model model) {
        Tab shown = Tab.of(tab);
        Page<Message> page = PageCursor.read("messages " + shown.word(), cursor, from -> page(shown, q, from));
        model.addAttribute("tab", shown.word());
        model.addAttribute("tabs", Stream.of(Tab.values()).map(Tab::word).toList());
        model.addAttribute("q", q);
        model.addAttribute("messages", page.items());
        model.addAttribute("audiences", support.audiences(page.items()));
        model.addAttribute("next", page.continuation());
        model.addAttribute(
                "drafts", page.items().stream().filter(support::draft).toList());
        model.addAttribute(
                "undated", page.items().stream().filter(support::undated).toList());
        model.addAttribute("first", cursor == null);
        model.addAttribute("noLists", support.lists().active().isEmpty());
        return "message/all";
    }

    /** Redirects the former address of the page of sent messages. */
    @GetMapping("/sent")
    String sent() {
        return "redirect:/messages?tab=" + Tab.SENT.word();
    }

    /** Creates a draft with the content of another message. */
    @PostMapping("/messages/{ref}/duplicate")
    String duplicate(@PathVariable MessageRef ref, Principal me) {
        Message message = support.require(ref);
        Optional<Bodies> bodies = messages.bodies(message);
        if (bodies.isEmpty()) {
            return Notice.problem("message-not-duplicated").on("/messages/" + ref);
        }
        Messages.MessageCreateResult made = messages.create(new Messages.NewMessage(
                message.audience().withoutOccasion(),
                messages.draft(message, bodies.get()),
                new Schedule(support.now(), message.schedule().zone()),
                message.onUnknown(),
                message.mailClass(),
                me.getName(),
                true,
                true));
        return made instanceof Messages.MessageCreateResult.Created created
                ? Notice.done("message-duplicated")
                        .on("/messages/" + created.message().ref() + "/edit")
                : Notice.problem("message-not-duplicated").on("/messages/" + ref);
    }

    @GetMapping("/messages/{ref}/delete")
    String askToDelete(@PathVariable MessageRef ref, Model model) {
        Message message = support.require(ref);
        if (!message.editable()) {
            return support.refused(message, NOT_PENDING, model);
        }
        Optional<String> greeting = drafts.greeting(message);
        if (greeting.isPresent()) {
            return usedBy(greeting.get(), message, model);
        }
        return support.question("delete-message", message, "/delete")
                .with("etag", messages.findActive(ref).map(Versioned::etag).orElse(""))
                .ask(model, "messages");
    }

    /**
     * Deletes the version that the admin saw, because another admin may have changed it since. A repeated request does
     * nothing.
     */
    @PostMapping("/messages/{ref}/delete")
    String delete(@PathVariable MessageRef ref, @RequestParam(defaultValue = "") String etag, Model model) {
        Optional<String> greeting = messages.find(ref).flatMap(drafts::greeting);
        if (greeting.isPresent()) {
            return usedBy(greeting.get(), support.require(ref), model);
        }
        boolean deleted = messages.findActive(ref)
                .filter(now -> now.etag().equals(etag))
                .filter(messages::delete)
                .isPresent();
        Optional<Message> left = deleted ? Optional.empty() : messages.find(ref);
        if (left.isEmpty()) {
            return Notice.done("message-deleted").on("/messages");
        }
        return left.get().editable()
                ? Notice.problem("message-ended").on("/messages/" + ref)
                : support.refused(left.get(), NOT_PENDING, model);
    }

    private String usedBy(String greeting, Message message, Model model) {
        model.addAttribute("greeting", greeting);
        return support.refused(message, GREETING, model);
    }

    enum Tab {
        ALL,
        DRAFTS,
        SCHEDULED,
        SENDING,
        SENT;

        static Tab of(@Nullable String word) {
            return Arrays.stream(values())
                    .filter(tab -> tab.word().equals(word))
                    .findFirst()
                    .orElse(ALL);
        }

        String word() {
            return AsciiWord.of(this);
        }
    }

    private Tab tabOf(Message message) {
        if (message.completedAt() != null) {
            return Tab.SENT;
        }
        if (support.draft(message)) {
            return Tab.DRAFTS;
        }
        return message.begun() || message.due(support.now()) ? Tab.SENDING : Tab.SCHEDULED;
    }

    /**
     * Returns a page of a tab. The page may have few messages or none although more follow.
     *
     * @param words the number of a message, the beginning of its list's name, or the beginning of a word in its
     *     subject; may be blank
     * @throws IllegalArgumentException if the service did not issue the cursor
     */
    private Page<Message> page(Tab tab, String words, @Nullable String cursor) {
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
        for (int scanned = 0; at != null && found.size() < PAGE && scanned < MAX_SCANNED; scanned += PAGE) {
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
