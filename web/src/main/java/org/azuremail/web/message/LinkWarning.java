package org.azuremail.web.message;

import java.util.Locale;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.mail.MailProperties;
import org.azuremail.web.layout.Question;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;

/** Says before mail really leaves that nobody elsewhere can follow its links. */
@Component
class LinkWarning {

    private final AzureMailProperties settings;
    private final MailProperties mail;
    private final MessageSource texts;

    LinkWarning(AzureMailProperties settings, MailProperties mail, MessageSource texts) {
        this.settings = settings;
        this.mail = mail;
        this.texts = texts;
    }

    Question on(Question question) {
        return text().map(text -> question.showing("Links in the emails", text)).orElse(question);
    }

    private Optional<String> text() {
        return settings.linkProblem()
                .filter(problem -> mail.leaves())
                .map(problem -> texts.getMessage(
                        "links." + problem.name().toLowerCase(Locale.ROOT),
                        new Object[] {settings.publicUrl().toString()},
                        Locale.ROOT));
    }
}
