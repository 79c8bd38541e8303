package org.azuremail.sender;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.LinkProblem;
import org.azuremail.mail.MailProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns, in the log and among the events, before any email leaves, if the public URL does not suit links in emails. */
record LinkCheck(AzureMailProperties settings, MailProperties mail) implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LinkCheck.class);

    @Override
    public void afterSingletonsInstantiated() {
        if (mail.sendsExternally()) {
            settings.linkProblem().ifPresent(problem -> LOG.warn("{}", warning(problem)));
        }
    }

    private String warning(LinkProblem problem) {
        String why =
                switch (problem) {
                    case LOCAL -> "Subscribers cannot follow links to it, so they can neither confirm nor unsubscribe";
                    case NOT_HTTPS -> "Mail programs do not offer to unsubscribe in one click";
                };
        return "The public URL is " + settings.publicUrl() + ". " + why
                + ". Set azuremail.public-url to the https address at which subscribers reach this service.";
    }
}
