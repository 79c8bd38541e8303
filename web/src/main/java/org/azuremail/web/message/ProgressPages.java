package org.azuremail.web.message;

import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.MessageProgress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** How far a message is, and how to stop it. */
@Controller
class ProgressPages {

    private static final int PAGE = 50;

    private final MessageDesk desk;
    private final MessageControl control;
    private final MessageStore store;
    private final Obstacles obstacles;

    ProgressPages(MessageDesk desk, MessageControl control, MessageStore store, Obstacles obstacles) {
        this.desk = desk;
        this.control = control;
        this.store = store;
        this.obstacles = obstacles;
    }

    @GetMapping("/messages/{ref}")
    String one(@PathVariable MessageRef ref, Model model) {
        progress(ref, model);
        return "message/one";
    }

    /** The part of the page that changes while mail goes out. */
    @GetMapping("/messages/{ref}/progress")
    String progress(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        model.addAttribute("message", message);
        MessageProgress progress = control.progress(message);
        model.addAttribute("progress", progress);
        model.addAttribute("obstacles", obstacles.of(message, progress));
        model.addAttribute("draft", desk.draft(message));
        model.addAttribute("live", message.completedAt() == null);
        return "message/progress :: progress";
    }

    @GetMapping("/sent")
    String sent(@RequestParam(required = false) @Nullable String cursor, Model model) {
        model.addAttribute("page", store.sent(PAGE, cursor));
        model.addAttribute("first", cursor == null);
        return "message/sent";
    }

    @PostMapping("/messages/{ref}/pause")
    String pause(@PathVariable MessageRef ref) {
        boolean done = control.pause(ref, "");
        return back(ref, done ? "message-paused" : "message-ended");
    }

    @PostMapping("/messages/{ref}/resume")
    String resume(@PathVariable MessageRef ref) {
        boolean done = control.resume(ref);
        return back(ref, done ? "message-resumed" : "message-ended");
    }

    @GetMapping("/messages/{ref}/cancel")
    String askToCancel(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        return new Question(
                        "Cancel this message?",
                        "Nobody else gets it. Who was mailed already has it; everybody else is recorded as Skipped. "
                                + "A cancelled message cannot be sent on.",
                        "Cancel message",
                        "/messages/" + ref + "/cancel",
                        "/messages/" + ref)
                .showing("Subject", message.subject())
                .showing("List", message.list().value())
                .ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/cancel")
    String cancel(@PathVariable MessageRef ref) {
        boolean done = control.cancel(ref);
        return back(ref, done ? "message-cancelled" : "message-ended");
    }

    private static String back(MessageRef ref, String notice) {
        return "redirect:/messages/" + ref + "?notice=" + notice;
    }
}
