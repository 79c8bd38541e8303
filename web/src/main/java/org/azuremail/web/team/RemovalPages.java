package org.azuremail.web.team;

import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Asks what to do with an admin's keys, and removes the account. */
@Controller
record RemovalPages(Accounts accounts, ApiKeys keys) {

    @GetMapping("/accounts/remove")
    String ask(@RequestParam String email, Model model) {
        EmailAddress admin = EmailAddress.parse(email)
                .filter(address -> accounts.find(address).isPresent())
                .orElseThrow(() -> new PageNotFoundException("no-account"));
        model.addAttribute("email", admin);
        model.addAttribute("keys", keys.ownedBy(admin));
        return "team/remove";
    }

    @PostMapping("/accounts/remove")
    String remove(@RequestParam String email, @RequestParam(defaultValue = "") Set<String> keep, Principal me) {
        Optional<EmailAddress> admin = EmailAddress.parse(email);
        EmailAddress by = new EmailAddress(me.getName());
        if (admin.map(EmailAddress::folded).equals(Optional.of(by.folded()))) {
            return Notice.problem("own-account").on("/accounts");
        }
        boolean removed = admin.isPresent() && new AdminRemoval(accounts, keys).remove(admin.get(), by, keep);
        return (removed ? Notice.done("account-removed") : Notice.info("account-missing")).on("/accounts");
    }
}
