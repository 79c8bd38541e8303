package org.azuremail.web.api.operations;

import java.time.Instant;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.reason.Reason;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows, restores and deletes work that failed five times. */
@RestController
@RequestMapping("/api/v1/dead-letters")
record DeadLetterApi(DeadLetters letters, RangeQueues ranges) {

    /** @param text the work that failed; a listing contains only the beginning of a long text */
    record LetterBody(String id, String queue, String text, String reason, String reasonCode, Instant at, int tries) {

        static LetterBody of(DeadLetter letter, String text) {
            Reason reason = letter.reason();
            return new LetterBody(
                    letter.id(), letter.queue(), text, reason.words(), reason.code(), letter.at(), letter.tries());
        }
    }

    /** Returns the dead letters, newest first. If a queue is given, a page may have a cursor but no items. */
    @GetMapping
    Items<LetterBody> all(@RequestParam @Nullable String queue, Paging paging) {
        return paging.read(
                (limit, from) -> letters.page(limit, from)
                        .filter(letter -> queue == null || letter.queue().equals(queue)),
                letter -> LetterBody.of(letter, letter.text()));
    }

    @GetMapping("/{id}")
    LetterBody one(@PathVariable String id) {
        DeadLetter letter = require(id);
        return LetterBody.of(letter, letters.text(id).orElse(letter.text()));
    }

    /** Puts the work back into its queue and resets its count of failures. */
    @PostMapping("/{id}/restore")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void restore(@PathVariable String id) {
        if (!letters.restore(require(id).id(), ranges::effectiveQueue)) {
            throw gone(id);
        }
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id) {
        if (!letters.delete(require(id).id())) {
            throw gone(id);
        }
    }

    private DeadLetter require(String id) {
        try {
            return letters.find(id).orElseThrow(() -> gone(id));
        } catch (IllegalArgumentException noKey) {
            throw gone(id);
        }
    }

    private static RefusedCall gone(String id) {
        return RefusedCall.notFound("There is no dead letter " + id + ". It may have been deleted.");
    }
}
