package org.azuremail.web.key;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Keys of programs: made, shown once, revoked. */
@Controller
class KeyPages {

    private static final int LONGEST_LABEL = 100;

    record Form(
            @Nullable String label,
            @Nullable String scope,
            @Nullable List<String> lists) {

        ApiKey.Scope chosenScope() {
            return "ADMIN".equals(scope) ? ApiKey.Scope.ADMIN : ApiKey.Scope.SUBSCRIBE;
        }

        Set<ListName> chosenLists() {
            return lists == null || chosenScope() == ApiKey.Scope.ADMIN
                    ? Set.of()
                    : lists.stream()
                            .map(ListName::parse)
                            .flatMap(Optional::stream)
                            .collect(Collectors.toSet());
        }

        /** Called by the page. */
        public boolean has(ListName list) {
            return chosenLists().contains(list);
        }

        void check(BindingResult errors) {
            if (label == null || label.isBlank() || label.length() > LONGEST_LABEL) {
                errors.rejectValue("label", "refused", "Say in a few words what the key is for.");
            }
            if (chosenScope() == ApiKey.Scope.SUBSCRIBE && chosenLists().isEmpty()) {
                errors.rejectValue(
                        "lists", "missing", "Choose at least one list that the key may subscribe people to.");
            }
        }
    }

    private final ApiKeys keys;
    private final ListStore lists;
    private final AzureMailProperties settings;

    KeyPages(ApiKeys keys, ListStore lists, AzureMailProperties settings) {
        this.keys = keys;
        this.lists = lists;
        this.settings = settings;
    }

    @GetMapping("/keys")
    String all(Model model) {
        model.addAttribute("keys", keys.all());
        return "key/all";
    }

    @GetMapping("/keys/new")
    String formForNew(Model model) {
        model.addAttribute("form", new Form("", "SUBSCRIBE", List.of()));
        return form(model);
    }

    @PostMapping("/keys/new")
    String make(@ModelAttribute("form") Form form, BindingResult errors, Principal me, Model model) {
        form.check(errors);
        if (errors.hasErrors() || form.label() == null) {
            return form(model);
        }
        model.addAttribute(
                "made", keys.make(form.label().strip(), form.chosenScope(), form.chosenLists(), me.getName()));
        model.addAttribute("publicUrl", settings.publicUrl());
        return "key/made";
    }

    @GetMapping("/keys/revoke")
    String askToRevoke(@RequestParam String id, Model model) {
        ApiKey key = keys.find(id).orElseThrow(() -> new NotHere("This key is revoked already."));
        return new Question(
                        "Revoke this key?",
                        "The next call with it is refused. This cannot be undone.",
                        "Revoke key",
                        "/keys/revoke",
                        "/keys")
                .with("id", id)
                .showing("What it is for", key.label())
                .showing("Begins with", key.hint() + "…")
                .ask(model, "keys");
    }

    @PostMapping("/keys/revoke")
    String revoke(@RequestParam String id) {
        keys.revoke(id);
        return "redirect:/keys?notice=key-revoked";
    }

    private String form(Model model) {
        model.addAttribute(
                "allLists",
                lists.all().stream()
                        .filter(list -> !list.deleting())
                        .map(MailingList::name)
                        .toList());
        return "key/new";
    }
}
