package org.azuremail.web.deadletter;

import java.util.function.UnaryOperator;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.operations.WorkNames;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Shows, restores and deletes work that failed five times. */
@Controller
record DeadLetterPages(DeadLetters letters, RangeQueues ranges, WorkNames workNames) {

    private static final int PAGE = 50;
    private static final int MAX_SCANNED = 200;

    /** Shows all dead letters, or those of one queue among the next 200. */
    @GetMapping("/dead-letters")
    String all(@RequestParam @Nullable String queue, @RequestParam @Nullable String cursor, Model model) {
        model.addAttribute(
                "page",
                queue == null
                        ? PageCursor.read("dead letters", cursor, from -> letters.page(PAGE, from))
                        : ofQueue(queue, cursor));
        model.addAttribute("queue", queue);
        model.addAttribute("labels", (UnaryOperator<String>) workNames::queue);
        model.addAttribute("first", cursor == null);
        return "deadletter/all";
    }

    private Page<DeadLetter> ofQueue(String queue, @Nullable String cursor) {
        return PageCursor.read("dead letters", cursor, from -> letters.page(MAX_SCANNED, from))
                .filter(letter -> letter.queue().equals(queue));
    }

    @PostMapping("/dead-letters/restore")
    String restore(@RequestParam String id) {
        return (letters.restore(id, ranges::effectiveQueue)
                        ? Notice.done("letter-restored")
                        : Notice.info("letter-missing"))
                .on("/dead-letters");
    }

    @GetMapping("/dead-letters/delete")
    String askToDelete(@RequestParam String id, Model model) {
        DeadLetter letter = letters.find(id).orElseThrow(() -> new PageNotFoundException("no-letter"));
        return new Question("delete-dead-letter", "/dead-letters/delete", "/dead-letters")
                .with("id", id)
                .showing("queue", letter.queue())
                .showing("work", letter.text())
                .showing("reason", letter.reason().words())
                .ask(model, "dead-letters");
    }

    @PostMapping("/dead-letters/delete")
    String delete(@RequestParam String id) {
        return (letters.delete(id) ? Notice.done("letter-deleted") : Notice.info("letter-missing")).on("/dead-letters");
    }
}
