package org.azuremail.web.deadletter;

import java.util.List;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.Question;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Work that was given up after five failures: looked at, put back, or deleted. */
@Controller
class DeadLetterPages {

    private static final int PAGE = 50;
    private static final int LOOKED_THROUGH = 200;

    private final DeadLetters letters;

    DeadLetterPages(DeadLetters letters) {
        this.letters = letters;
    }

    /** All of them, or those of one queue among the next two hundred. */
    @GetMapping("/dead-letters")
    String all(
            @RequestParam(required = false) @Nullable String queue,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        model.addAttribute(
                "page",
                queue == null ? PageCursor.read(cursor, from -> letters.page(PAGE, from)) : ofQueue(queue, cursor));
        model.addAttribute("queue", queue);
        model.addAttribute("first", cursor == null);
        return "deadletter/all";
    }

    private DeadLetters.Page ofQueue(String queue, @Nullable String cursor) {
        DeadLetters.Page page = PageCursor.read(cursor, from -> letters.page(LOOKED_THROUGH, from));
        List<DeadLetter> found = page.letters().stream()
                .filter(letter -> letter.queue().equals(queue))
                .toList();
        return new DeadLetters.Page(found, page.continuation());
    }

    @PostMapping("/dead-letters/restore")
    String restore(@RequestParam String id) {
        return "redirect:/dead-letters?notice=" + (letters.restore(id) ? "letter-restored" : "letter-gone");
    }

    @GetMapping("/dead-letters/delete")
    String askToDelete(@RequestParam String id, Model model) {
        DeadLetter letter =
                letters.find(id).orElseThrow(() -> new NotHere("Somebody else has seen to this dead letter."));
        return new Question(
                        "Delete this dead letter?",
                        "The work is never done then. This cannot be undone.",
                        "Delete dead letter",
                        "/dead-letters/delete",
                        "/dead-letters")
                .with("id", id)
                .showing("Queue", letter.queue())
                .showing("Work", letter.text())
                .showing("Reason", letter.reason().words())
                .ask(model, "dead-letters");
    }

    @PostMapping("/dead-letters/delete")
    String delete(@RequestParam String id) {
        return "redirect:/dead-letters?notice=" + (letters.delete(id) ? "letter-deleted" : "letter-gone");
    }
}
