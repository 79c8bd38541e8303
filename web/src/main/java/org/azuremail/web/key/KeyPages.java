package org.azuremail.web.key;

import static org.azuremail.web.layout.FormErrors.stripped;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.time.Time;
import org.azuremail.web.account.Account;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.Secret;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.IdempotentForms;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that create, show and revoke the keys of programs. */
@Controller
record KeyPages(
        ApiKeys keys,
        ApiKeyChanges changes,
        ListStore lists,
        AzureMailProperties settings,
        Accounts accounts,
        KeyProperties defaults,
        IdempotentForms forms,
        Time time) {

    private static final int MAX_LABEL_LENGTH = 100;
    private static final Instant FARTHEST = Instant.parse("3000-01-01T00:00:00Z");

    record Form(
            @Nullable String label,
            @Nullable String scope,
            @Nullable List<String> lists,
            @Nullable String lastDay,
            @Nullable String requestsPerSecond) {

        ApiKey.Scope chosenScope() {
            return Arrays.stream(ApiKey.Scope.values())
                    .filter(known -> known.name().equals(scope))
                    .findFirst()
                    .orElse(ApiKey.Scope.SUBSCRIBE);
        }

        Set<ListName> chosenLists() {
            return lists == null || chosenScope() != ApiKey.Scope.SUBSCRIBE
                    ? Set.of()
                    : lists.stream()
                            .map(ListName::parse)
                            .flatMap(Optional::stream)
                            .collect(Collectors.toSet());
        }

        /** Called by the page template. */
        public boolean has(ListName list) {
            return chosenLists().contains(list);
        }

        /** Returns the end of the last day on which the key works; {@code null} when the field is empty. */
        @Nullable
        Instant end(ZoneId zone) {
            return lastDay == null || lastDay.isBlank()
                    ? null
                    : LocalDate.parse(lastDay.strip())
                            .plusDays(1)
                            .atStartOfDay(zone)
                            .toInstant();
        }

        ApiKey.Terms terms(ZoneId zone) {
            return new ApiKey.Terms(
                    stripped(label),
                    chosenScope(),
                    chosenLists(),
                    end(zone),
                    requests().orElse(0));
        }

        /**
         * Returns the quota of a subscribe key; 0 when the field is empty; empty when the text is not a valid quota.
         */
        private Optional<Integer> requests() {
            String typed = FormErrors.number(requestsPerSecond);
            if (typed.isEmpty() || chosenScope() != ApiKey.Scope.SUBSCRIBE) {
                return Optional.of(0);
            }
            return Optional.of(typed)
                    .filter(text -> text.matches("[0-9]{1,6}"))
                    .map(Integer::valueOf)
                    .filter(number -> number >= 1 && number <= ApiKey.Terms.MAX_REQUESTS_PER_SECOND);
        }

        void check(BindingResult errors, ZoneId zone, Instant now) {
            if (label == null
                    || label.isBlank()
                    || label.length() > MAX_LABEL_LENGTH
                    || !MailingList.isLine(label.strip())) {
                errors.rejectValue("label", "error.key.label");
            }
            if (chosenScope() == ApiKey.Scope.SUBSCRIBE && chosenLists().isEmpty()) {
                errors.rejectValue("lists", "error.key.lists");
            }
            if (requests().isEmpty()) {
                errors.rejectValue("requestsPerSecond", "error.key.requests");
            }
            if (!lastDayFits(zone, now)) {
                errors.rejectValue("lastDay", "error.key.last-day");
            }
        }

        private boolean lastDayFits(ZoneId zone, Instant now) {
            try {
                Instant end = end(zone);
                return end == null || (end.isAfter(now) && end.isBefore(FARTHEST));
            } catch (DateTimeException notADay) {
                return false;
            }
        }
    }

    @GetMapping("/keys")
    String all(TableOrder order, Model model) {
        List<ApiKey> all = keys.all();
        model.addAttribute(
                "keys",
                order.sorted(
                        all,
                        Map.of(
                                "label", ApiKey::label,
                                "created", ApiKey::createdAt,
                                "until", ApiKey::expiresAt,
                                "used", ApiKey::lastUsedAt)));
        model.addAttribute("orphans", orphans(all));
        model.addAttribute("now", time.instant());
        return "key/all";
    }

    /** Returns the ids of keys whose owner was removed by an older version. */
    private Set<String> orphans(List<ApiKey> all) {
        List<Account> admins = accounts.all();
        return all.stream()
                .filter(key -> key.responsibleAdmin().isPresent())
                .filter(key -> admins.stream().noneMatch(admin -> key.isOwnedBy(admin.email())))
                .map(ApiKey::id)
                .collect(Collectors.toSet());
    }

    @GetMapping("/keys/new")
    String formForNew(Model model) {
        model.addAttribute("form", new Form("", "SUBSCRIBE", List.of(), "", ""));
        return form(model);
    }

    @PostMapping("/keys/new")
    String make(Form form, BindingResult errors, HttpServletRequest request, Principal me, Model model) {
        form.check(errors, settings.zone(), time.instant());
        if (errors.hasErrors()) {
            return form(model);
        }
        Secret secret = keys.nextSecret(forms.ids(request));
        if (keys.revoked(secret)) {
            return Notice.info("key-revoked-before").on("/keys");
        }
        Optional<ApiKeys.NewKey> made = changes.create(secret, form.terms(settings.zone()), me.getName());
        if (made.isEmpty()) {
            return "redirect:/sign-in";
        }
        model.addAttribute("made", made.get());
        model.addAttribute("example", example(made.get()));
        return "key/made";
    }

    /** Returns an example of a call to copy; empty for an admin key. */
    private String example(ApiKeys.NewKey made) {
        String bearer = " -H 'Authorization: Bearer " + made.secret().text() + "'";
        return switch (made.key().scope()) {
            case ADMIN -> "";
            case METRICS -> "curl " + settings.publicUrl() + "/actuator/prometheus" + bearer;
            case SUBSCRIBE ->
                "curl -X POST " + settings.publicUrl() + "/api/v1/lists/"
                        + made.key().sortedLists().iterator().next() + "/subscriptions \\\n " + bearer
                        + " \\\n  -H 'Content-Type: application/json' \\\n"
                        + "  -d '{\"email\": \"ann@example.org\", \"name\": \"Ann\"}'";
        };
    }

    @GetMapping("/keys/revoke")
    String askToRevoke(@RequestParam String id, Model model) {
        ApiKey key = keys.find(id).orElseThrow(() -> new PageNotFoundException("no-key"));
        return new Question("revoke-key", "/keys/revoke", "/keys")
                .with("id", id)
                .showing("label", key.label())
                .showing("begins-with", key.hint() + "…")
                .ask(model, "keys");
    }

    @PostMapping("/keys/revoke")
    String revoke(@RequestParam String id) {
        keys.revoke(id);
        return Notice.done("key-revoked").on("/keys");
    }

    private String form(Model model) {
        model.addAttribute("usualRequests", defaults.requestsPerSecond());
        model.addAttribute(
                "allLists", lists.active().stream().map(MailingList::name).toList());
        return "key/new";
    }
}
