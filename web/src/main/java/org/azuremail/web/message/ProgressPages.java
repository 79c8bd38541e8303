package org.azuremail.web.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.figures.Figures;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.plot.LinePlot;
import org.azuremail.web.plot.StackedBar;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page that shows the progress of a message and can stop it. */
@Controller
record ProgressPages(
        MessagePageSupport support,
        MessageControl control,
        MessageView view,
        MessageTransports transports,
        DraftSending drafts) {

    /** The notices that offer to undo the action that they report. */
    private static final Set<String> UNDOABLE_NOTICES = Set.of("message-sending-soon", "message-scheduled");

    /** The fewest points of a plot. A rate with fewer points is shown as a number. */
    private static final int FEWEST_POINTS = 3;

    private static final long MINUTE = 60;

    /** In place of the number of recipients who wait: the question before a cancellation has no number to name yet. */
    private static final long NOT_BEGUN = -2;

    /** Also in place of that number: more recipients may still be added. */
    private static final long STILL_COUNTING = -1;

    @GetMapping("/messages/{ref}")
    String one(@PathVariable MessageRef ref, Model model) {
        addProgress(ref, null, model);
        if (model.getAttribute("notice") instanceof Notice notice && UNDOABLE_NOTICES.contains(notice.code())) {
            model.addAttribute(
                    "undo",
                    Boolean.TRUE.equals(model.getAttribute("canBeTakenBack")) ? "/messages/" + ref + "/undo" : null);
        }
        return "message/one";
    }

    /** Shows the parts of the page that change while emails are sent and, once the message is final, its facts. */
    @GetMapping("/messages/{ref}/progress")
    String progress(@PathVariable MessageRef ref, @RequestParam @Nullable String seen, Model model) {
        addProgress(ref, seen, model);
        return "message/progress :: look";
    }

    private void addProgress(MessageRef ref, @Nullable String seen, Model model) {
        Message found = support.require(ref);
        Optional<Versioned<Message>> paused =
                found.paused() ? support.messages().findActive(ref) : Optional.empty();
        MessageView.PageState state = view.state(paused.map(Versioned::value).orElse(found));
        Message message = state.message();
        MessageProgress progress = state.progress();
        SendingRate.Sample now =
                new SendingRate.Sample(support.now(), progress.counts().sum());
        SendingRate rate = SendingRate.read(seen, now);
        model.addAttribute("message", message);
        model.addAttribute("etag", paused.map(Versioned::etag).orElse(""));
        model.addAttribute("progress", progress);
        model.addAttribute(
                "pace",
                rate.estimate(
                                now,
                                progress,
                                progress.finished() ? OptionalInt.empty() : transports.perSecond(message.lists()))
                        .orElse(null));
        model.addAttribute("seen", rate.nextSamples(now));
        model.addAttribute("obstacles", state.obstacles());
        model.addAttribute("due", message.due(support.now()));
        model.addAttribute("draft", support.draft(message));
        model.addAttribute(
                "greeting", support.draft(message) ? drafts.greeting(message).orElse(null) : null);
        model.addAttribute("undated", support.undated(message));
        model.addAttribute(
                "chosen",
                message.scheduledDate().truncatedTo(ChronoUnit.MINUTES).equals(message.scheduledDate()));
        model.addAttribute("startsSoon", drafts.startsSoon(message));
        model.addAttribute("canBeTakenBack", drafts.canUndo(message));
        model.addAttribute("mailClass", support.mailClass(message));
        model.addAttribute(
                "listNames", message.lists().stream().map(support::named).toList());
        model.addAttribute("segmentName", support.segmentName(message.audience()));
        model.addAttribute("live", !state.settled());
        model.addAttribute("version", state.version());
        model.addAttribute("outcomes", outcomes(ref, progress));
        model.addAttribute("figures", state.figures().orElse(null));
        model.addAttribute(
                "rate",
                state.figures()
                        .flatMap(figures -> rate(figures.rate(), support.moments()))
                        .orElse(null));
    }

    @PostMapping("/messages/{ref}/pause")
    String pause(@PathVariable MessageRef ref) {
        boolean begun = support.require(ref).begun();
        boolean done = control.pause(ref, Reason.NONE);
        return back(ref, done, begun ? "message-paused" : "message-paused-before");
    }

    /**
     * Resumes the version that the admin saw. The message may have been edited since, or be paused for another reason.
     */
    @PostMapping("/messages/{ref}/resume")
    String resume(@PathVariable MessageRef ref, @RequestParam(defaultValue = "") String etag) {
        if (support.draft(support.require(ref))) {
            return "redirect:/messages/" + ref + "/review";
        }
        boolean done = support.messages()
                .findActive(ref)
                .filter(now -> now.etag().equals(etag))
                .filter(control::resume)
                .isPresent();
        return back(ref, done, "message-resumed");
    }

    @GetMapping("/messages/{ref}/cancel")
    String askToCancel(@PathVariable MessageRef ref, Model model) {
        Message message = support.require(ref);
        if (message.status().ended()) {
            return Notice.info("message-over").on("/messages/" + ref);
        }
        MessageProgress progress = view.state(message).progress();
        long waiting = !message.begun() ? NOT_BEGUN : progress.walked() ? progress.waiting() : STILL_COUNTING;
        return support.question("cancel-message", message, "/cancel")
                .about(waiting, progress.counts().sent())
                .ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/cancel")
    String cancel(@PathVariable MessageRef ref) {
        // A draft cannot be cancelled, but another admin may have turned the message back into one meanwhile, to
        // correct it.
        boolean done = !support.draft(support.require(ref)) && control.cancel(ref);
        return back(ref, done, "message-cancelled");
    }

    private static String back(MessageRef ref, boolean done, String code) {
        return (done ? Notice.done(code) : Notice.problem("message-ended")).on("/messages/" + ref);
    }

    private static StackedBar outcomes(MessageRef ref, MessageProgress progress) {
        return StackedBar.of(
                progress.recipients(),
                List.of(
                        share(ref, "sent", progress.counts().sent()),
                        share(ref, "failed", progress.counts().failed()),
                        share(ref, "unknown", progress.counts().unknown()),
                        share(ref, "skipped", progress.counts().skipped()),
                        share(ref, "waiting", progress.waiting())));
    }

    private static StackedBar.Share share(MessageRef ref, String code, long value) {
        return new StackedBar.Share(
                code, value, value == 0 ? null : "/messages/" + ref + "/recipients?outcome=" + code);
    }

    /** Returns the plot of emails a minute over time; empty if sending took too few steps. */
    private static Optional<LinePlot> rate(Figures.Rate rate, Moments moments) {
        if (rate.emails().size() < FEWEST_POINTS) {
            return Optional.empty();
        }
        List<LinePlot.Point> points = new ArrayList<>();
        for (int i = 0; i < rate.emails().size(); i++) {
            long perMinute = rate.emails().get(i) * MINUTE / rate.step().toSeconds();
            Instant at = rate.begin().plus(rate.step().multipliedBy(i));
            points.add(new LinePlot.Point(moments.show(at), perMinute));
        }
        return Optional.of(LinePlot.of("rate", points));
    }
}
