package org.azuremail.web.account;

import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.EmailAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/** Logs the address of the service when it runs, and creates the first account or the link to it. */
record FirstRun(Accounts accounts, BootstrapProperties bootstrap, AzureMailProperties settings) {

    private static final Logger LOG = LoggerFactory.getLogger(FirstRun.class);

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        if (accounts.isEmpty()) {
            createFirstAccount();
        }
        if (accounts.isEmpty()) {
            LOG.info(firstAccountNotice(accounts.setupLink()));
        } else {
            LOG.info("AzureMail is running at {}", settings.publicUrl());
        }
    }

    private void createFirstAccount() {
        String password = bootstrap.adminPassword();
        if (bootstrap.adminEmail() == null || password == null) {
            return;
        }
        EmailAddress email = EmailAddress.parse(bootstrap.adminEmail())
                .orElseThrow(() -> new IllegalArgumentException(
                        "azuremail.bootstrap.admin-email is not an e-mail address: " + bootstrap.adminEmail()));
        Optional<String> problem = Passwords.problem(password, email);
        if (problem.isPresent()) {
            throw new IllegalArgumentException("azuremail.bootstrap.admin-password: "
                    + ResourceBundle.getBundle("messages", Locale.ROOT).getString(problem.get()));
        }
        accounts.addFirst(email, password);
    }

    private String firstAccountNotice(Secret secret) {
        String rule = "=".repeat(100);
        return """


                %s

                  AzureMail is running at %s

                  Create the first account:
                  %s/setup?token=%s

                  This link works once. Lost it? Restart the service: each start prints a new one
                  until there is an account.

                %s
                """.formatted(rule, settings.publicUrl(), settings.publicUrl(), secret.text(), rule);
    }
}
