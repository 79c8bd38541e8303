package org.azuremail.web.message;

import java.util.Locale;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.sending.TransportDirectory;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Component;

/** Warns that links in emails do not work elsewhere, if emails leave this installation. */
@Component
record LinkWarning(AzureMailProperties settings, TransportDirectory transports, MessageSourceAccessor texts) {

    Optional<String> text() {
        return settings.linkProblem()
                .filter(problem -> transports.sendsExternally())
                .map(problem -> texts.getMessage(
                        "links." + problem.name().toLowerCase(Locale.ROOT),
                        new Object[] {settings.publicUrl().toString()}));
    }
}
