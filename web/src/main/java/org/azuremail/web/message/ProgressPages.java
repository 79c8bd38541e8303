package org.azuremail.web.message;

import java.time.Duration;
import java.util.OptionalInt;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.MessageProgress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.reason.Reason;
import org.azuremail.web.layout.PageCursor;
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

    /** So many looks what was just done stays on the page. */
    private static final int NOTICE_LOOKS = 5;

    private static final Duration SOON = Duration.ofSeconds(30);

    private final MessageDesk desk;
    private final MessageControl control;
    private final MessageStore store;
    private final Obstacles obstacles;
    private final SpeedLimit limits;

    ProgressPages(
            MessageDesk desk, MessageControl control, MessageStore store, Obstacles obstacles, SpeedLimit limits) {
        this.desk = desk;
        this.control = control;
        this.store = store;
        this.obstacles = obstacles;
        this.limits = limits;
    }

    @GetMapping("/messages/{ref}")
    String one(@PathVariable MessageRef ref, @RequestParam(required = false) @Nullable String notice, Model model) {
        look(ref, null, model);
        model.addAttribute("told", notice == null ? 0 : 1);
        return "message/one";
    }

    /** The parts of the page that change while mail goes out; what stands around them, once it is final. */
    @GetMapping("/messages/{ref}/progress")
    String progress(
            @PathVariable MessageRef ref,
            @RequestParam(required = false) @Nullable String seen,
            @RequestParam(defaultValue = "0") int told,
            Model model) {
        look(ref, seen, model);
        model.addAttribute("told", told > 0 && told < NOTICE_LOOKS ? told + 1 : 0);
        boolean last = Boolean.FALSE.equals(model.getAttribute("live"));
        model.addAttribute("noticeOver", told >= NOTICE_LOOKS || (told > 0 && last));
        return "message/progress :: look";
    }

    private void look(MessageRef ref, @Nullable String seen, Model model) {
        Message message = desk.require(ref);
        MessageProgress progress = control.progress(message);
        Pace.Look now = new Pace.Look(desk.now(), progress.counts().sum());
        Pace pace = Pace.read(seen, now);
        model.addAttribute("message", message);
        model.addAttribute("progress", progress);
        model.addAttribute(
                "pace",
                pace.told(now, progress, progress.finished() ? OptionalInt.empty() : limits.perSecond())
                        .orElse(""));
        model.addAttribute("seen", pace.seenBy(now));
        model.addAttribute("obstacles", obstacles.of(message, progress));
        model.addAttribute("due", message.due(desk.now()));
        model.addAttribute("draft", desk.draft(message));
        model.addAttribute("undated", desk.undated(message));
        model.addAttribute("live", message.completedAt() == null);
        model.addAttribute("nextLook", moves(message) ? "every 2s" : "every 15s");
    }

    /** Whether a look in two seconds will see anything else: not where it waits for its date or for a person. */
    private boolean moves(Message message) {
        return !message.paused() && message.due(desk.now().plus(SOON));
    }

    @GetMapping("/sent")
    String sent(@RequestParam(required = false) @Nullable String cursor, Model model) {
        model.addAttribute("page", PageCursor.read(cursor, from -> store.sent(PAGE, from)));
        model.addAttribute("first", cursor == null);
        return "message/sent";
    }

    @PostMapping("/messages/{ref}/pause")
    String pause(@PathVariable MessageRef ref) {
        boolean done = control.pause(ref, Reason.NONE);
        return back(ref, done ? "message-paused" : "message-ended");
    }

    @PostMapping("/messages/{ref}/resume")
    String resume(@PathVariable MessageRef ref) {
        if (desk.undated(desk.require(ref))) {
            return "redirect:/messages/" + ref + "/send";
        }
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
