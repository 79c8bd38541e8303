package org.azuremail.web.message;

import java.security.Principal;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.recipient.DeliveryExplanation;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages that send a message again to the recipients whom it missed, and on which admins decide about outcomes in
 * doubt.
 */
@Controller
record SendAgainPages(
        MessagePageSupport support,
        MessageControl control,
        RecipientSearch search,
        Reopening reopening,
        Decisions decisions) {

    /** The most recorded Unknown recipients that the page reads to find the only one who is still Unknown. */
    private static final int MAX_READ = 10;

    @GetMapping("/messages/{ref}/again")
    String askToSendAgain(@PathVariable MessageRef ref, Model model) {
        Message message = support.require(ref);
        model.addAttribute("message", message);
        model.addAttribute("counts", control.progress(message).counts());
        model.addAttribute("possible", canReopen(message));
        return "message/again";
    }

    /**
     * Sends the message again to the recipients with the chosen outcomes.
     *
     * @param outcomes the chosen outcomes; Sent and Skipped recipients never get the message again
     * @param unknown the number of Unknown recipients that the page showed
     */
    @PostMapping("/messages/{ref}/again")
    String sendAgain(
            @PathVariable MessageRef ref,
            @RequestParam @Nullable Set<Outcome> outcomes,
            @RequestParam(defaultValue = "0") long unknown) {
        if (outcomes == null || outcomes.isEmpty()) {
            return Notice.problem("choose-whom").on("/messages/" + ref + "/again");
        }
        Set<Outcome> missing = EnumSet.of(Outcome.FAILED, Outcome.UNKNOWN);
        missing.retainAll(outcomes);
        return reopened(ref, missing, unknown);
    }

    /** Asks what to do about one Unknown recipient, or about all of them. */
    @GetMapping("/messages/{ref}/unknown")
    String askToDecide(@PathVariable MessageRef ref, @RequestParam @Nullable String email, Model model) {
        Message message = support.require(ref);
        OutcomeCounts counts = control.progress(message).counts();
        model.addAttribute("message", message);
        model.addAttribute("counts", counts);
        model.addAttribute("possible", canReopen(message));
        String address = email == null && counts.unknown() == 1 ? onlyUnknown(message) : email;
        if (address != null) {
            RecipientSearch.Found found = find(message, address);
            if (!unknown(found)) {
                return Notice.info("recipient-known").on("/messages/" + ref + "/recipients");
            }
            model.addAttribute("address", found.address().value());
            model.addAttribute("story", found.explanation());
        }
        return "message/unknown";
    }

    /**
     * Returns the address of the only Unknown recipient who is not waiting to be sent the message again; {@code null}
     * if a short search does not find it.
     */
    private @Nullable String onlyUnknown(Message message) {
        return control.outcomes(message, OutcomeGroup.UNKNOWN, MAX_READ, null).items().stream()
                .map(recorded -> recorded.recipient().address().value())
                .filter(address -> unknown(find(message, address)))
                .findFirst()
                .orElse(null);
    }

    /** Asks for confirmation and states the number of recipients, because an admin cannot know each of them. */
    @GetMapping("/messages/{ref}/unknown/sent")
    String askToMarkAll(@PathVariable MessageRef ref, Model model) {
        Message message = support.require(ref);
        long unknown = control.progress(message).counts().unknown();
        if (unknown == 0) {
            return back(ref, Notice.info("nobody-unknown"));
        }
        return new Question("mark-sent", "/messages/" + ref + "/unknown/sent", "/messages/" + ref + "/unknown")
                .about(unknown)
                .showing("subject", message.subject())
                .showing("list", support.audience(message.audience()))
                .showing("unknown", unknown)
                .ask(model, "messages");
    }

    @GetMapping("/messages/{ref}/unknown/decided")
    String decided(
            @PathVariable MessageRef ref, @RequestParam Instant decision, @RequestParam long recipients, Model model) {
        model.addAttribute("message", support.require(ref));
        model.addAttribute("decision", decision);
        model.addAttribute("recipients", recipients);
        return "message/decided";
    }

    @PostMapping("/messages/{ref}/unknown/undo")
    String undo(@PathVariable MessageRef ref, @RequestParam Instant decision) {
        long undone = decisions.undo(support.require(ref), decision);
        return back(ref, undone == 0 ? Notice.info("nothing-undone") : Notice.done("recipients-unmarked"));
    }

    @PostMapping("/messages/{ref}/unknown/sent")
    String markSent(@PathVariable MessageRef ref, @RequestParam @Nullable String email, Principal admin) {
        Message message = support.require(ref);
        if (email == null) {
            Decisions.Decided decided = decisions.markAllSent(message, admin.getName());
            return decided.recipients() == 0
                    ? back(ref, Notice.info("nobody-unknown"))
                    : "redirect:/messages/" + ref + "/unknown/decided?decision=" + decided.at() + "&recipients="
                            + decided.recipients();
        }
        EmailAddress address = find(message, email).address();
        Optional<Outcome> now = search.shardOf(message, address)
                .flatMap(shard -> decisions.markSent(message, shard, address, admin.getName()));
        boolean sent = now.filter(outcome -> outcome == Outcome.SENT).isPresent();
        return (sent ? Notice.done("recipient-marked") : Notice.info("recipient-known"))
                .on("/messages/" + ref + "/recipients?outcome=unknown");
    }

    @PostMapping("/messages/{ref}/unknown/again")
    String sendUnknownAgain(
            @PathVariable MessageRef ref,
            @RequestParam @Nullable String email,
            @RequestParam(defaultValue = "0") long unknown) {
        Message message = support.require(ref);
        if (email == null) {
            return reopened(ref, Set.of(Outcome.UNKNOWN), unknown);
        }
        RecipientSearch.Found found = find(message, email);
        return unknown(found)
                ? reopened(ref, reopening.reopen(ref, found.address()))
                : back(ref, Notice.info("recipient-known"));
    }

    private static boolean canReopen(Message message) {
        return message.status() == MessageStatus.COMPLETED || message.status() == MessageStatus.PROCESSING;
    }

    private static boolean unknown(RecipientSearch.Found found) {
        return found.explanation().verdict() == DeliveryExplanation.Verdict.UNKNOWN;
    }

    private RecipientSearch.Found find(Message message, String email) {
        return search.search(message, email).orElseThrow(() -> new PageNotFoundException("no-recipient"));
    }

    /**
     * Sends the message again unless the outcomes have changed. If admins have decided about all recipients meanwhile,
     * there is no recipient left. If more recipients have become Unknown, they may already have the email, and the
     * admin has not agreed to send it to them twice.
     */
    private String reopened(MessageRef ref, Set<Outcome> whom, long seen) {
        OutcomeCounts counts = control.progress(support.require(ref)).counts();
        if (whom.contains(Outcome.UNKNOWN) && counts.unknown() > seen) {
            return back(ref, Notice.problem("more-unknown"));
        }
        long missing = (whom.contains(Outcome.FAILED) ? counts.failed() : 0)
                + (whom.contains(Outcome.UNKNOWN) ? counts.unknown() : 0);
        return missing == 0 ? back(ref, Notice.info("nobody-missing")) : reopened(ref, reopening.reopen(ref, whom));
    }

    private static String reopened(MessageRef ref, Reopening.Answer answer) {
        return back(
                ref,
                switch (answer) {
                    case REOPENED -> Notice.done("message-reopened");
                    case RETIRED -> Notice.problem("message-retired");
                    case NOT_NOW, MISSING -> Notice.problem("message-not-now");
                });
    }

    private static String back(MessageRef ref, Notice notice) {
        return notice.on("/messages/" + ref);
    }
}
