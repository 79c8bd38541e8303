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

/** Says where to go once the service runs, and sees to the first account. */
final class FirstRun {

    private static final Logger log = LoggerFactory.getLogger(FirstRun.class);

    private final Accounts accounts;
    private final BootstrapProperties bootstrap;
    private final AzureMailProperties settings;

    FirstRun(Accounts accounts, BootstrapProperties bootstrap, AzureMailProperties settings) {
        this.accounts = accounts;
        this.bootstrap = bootstrap;
        this.settings = settings;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        if (accounts.none()) {
            bootstrap();
        }
        if (accounts.none()) {
            log.info(firstAccountNotice(accounts.setupLink()));
        } else {
            log.info("AzureMail is running at {}", settings.publicUrl());
        }
    }

    private void bootstrap() {
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
        accounts.add(email, password, "set-up");
    }

    private String firstAccountNotice(Secret secret) {
        String rule = "=".repeat(100);
        return """


                %s

                  AzureMail is running at %s

                  Make the first account:
                  %s/setup?token=%s

                  This link works once. Lost it? Restart the service: each start prints a new one
                  until there is an account.

                %s
                """.formatted(rule, settings.publicUrl(), settings.publicUrl(), secret.text(), rule);
    }
}
