package org.azuremail.web.suppression;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Page;
import org.azuremail.subscription.transfer.CsvWriter;
import org.azuremail.suppression.Suppression;
import org.azuremail.suppression.Suppressions;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that search, add, release and export suppressed addresses. */
@Controller
record SuppressionPages(Suppressions suppressions, SuppressionChanges changes) {

    private static final int PAGE = 50;
    private static final int EXPORT_PAGE = 1000;
    private static final int MAX_SHOWN = 5;
    private static final List<String> HEADER =
            List.of("email", "state", "reason_code", "at", "by", "why", "released_at", "released_by", "released_why");

    /**
     * Addresses to suppress, as typed.
     *
     * @param emails the addresses, one in each line
     */
    record Form(@Nullable String emails, @Nullable String why) {

        List<String> lines() {
            return emails == null ? List.of() : emails.strip().lines().toList();
        }

        /** @return the reason, if the form has no errors */
        String check(BindingResult errors) {
            if (lines().isEmpty()) {
                errors.rejectValue("emails", "error.suppression.none");
            } else if (lines().size() > SuppressionChanges.MAX_AT_ONCE) {
                FormErrors.reject(errors, "emails", "error.suppression.many", SuppressionChanges.MAX_AT_ONCE);
            }
            return why(errors);
        }

        String why(BindingResult errors) {
            return FormErrors.why(errors, why, SuppressionChanges.MAX_REASON_LENGTH);
        }
    }

    @GetMapping("/suppressions")
    String all(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "false") boolean everything,
            @RequestParam @Nullable String cursor,
            Model model) {
        Page<Suppression> page = PageCursor.read(
                "suppressions", cursor, from -> suppressions.page(q, from, PAGE, one -> everything || one.active()));
        model.addAttribute("page", page);
        model.addAttribute("q", q);
        model.addAttribute("everything", everything);
        model.addAttribute("first", cursor == null);
        return "suppression/all";
    }

    @GetMapping("/suppressions/new")
    String formForNew(@RequestParam(defaultValue = "") String email, Model model) {
        model.addAttribute("form", new Form(email, ""));
        return "suppression/new";
    }

    @PostMapping("/suppressions/new")
    String add(Form form, BindingResult errors, Principal me) {
        String why = form.check(errors);
        Optional<Integer> added = errors.hasErrors()
                ? Optional.empty()
                : changes.add(form.lines(), changes.time().instant(), me.getName(), why, (line, text) -> {
                    if (errors.getFieldErrorCount("emails") < MAX_SHOWN) {
                        FormErrors.reject(errors, "emails", "error.suppression.address", line, text);
                    }
                });
        return added.map(number -> Notice.done("suppressed", number).on("/suppressions"))
                .orElse("suppression/new");
    }

    @GetMapping("/suppressions/release")
    String askToRelease(@RequestParam String email, Model model) {
        model.addAttribute("form", new Form(email, ""));
        model.addAttribute("suppression", require(email));
        return "suppression/release";
    }

    @PostMapping("/suppressions/release")
    String release(@RequestParam String email, Form form, BindingResult errors, Principal me, Model model) {
        String why = form.why(errors);
        Suppression known = require(email);
        if (errors.hasErrors()) {
            model.addAttribute("suppression", known);
            return "suppression/release";
        }
        changes.release(known.address(), me.getName(), why);
        return Notice.done("released", known.address()).on("/suppressions");
    }

    private Suppression require(String email) {
        return EmailAddress.stored(email)
                .flatMap(suppressions::find)
                .filter(Suppression::active)
                .orElseThrow(() -> new PageNotFoundException("no-suppression", email));
    }

    @GetMapping("/suppressions.csv")
    ResponseEntity<StreamedBody> export() {
        return Download.csv("suppressions.csv", out -> write(new CsvWriter(out)));
    }

    private void write(CsvWriter csv) throws IOException {
        csv.writeRow(HEADER);
        csv.writeRows(Page.stream(from -> suppressions.page("", from, EXPORT_PAGE, one -> one.since() != null))
                .map(SuppressionPages::row));
    }

    private static List<String> row(Suppression one) {
        Suppression.SuppressionAction since = one.since();
        Suppression.SuppressionAction release = one.release();
        return List.of(
                one.address().value(),
                one.active() ? "suppressed" : "released",
                since == null ? "" : since.code(),
                since == null ? "" : since.at().toString(),
                since == null ? "" : since.by(),
                since == null ? "" : since.why(),
                release == null ? "" : release.at().toString(),
                release == null ? "" : release.by(),
                release == null ? "" : release.why());
    }
}
