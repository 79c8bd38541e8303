package org.azuremail.web.membership;

import java.util.function.Supplier;
import org.azuremail.storage.StorageException;
import org.azuremail.template.TemplateName;
import org.azuremail.web.membership.SubscriberViews.Content;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** The common answers of the pages behind the links in emails. */
interface SubscriberLinkPages {

    SubscriberViews pages();

    /** Shows the content, unless the link is cut off or is from a test email and so belongs to no subscriber. */
    default ResponseEntity<String> page(EmailLink link, Supplier<Content> content) {
        if (link.incomplete()) {
            return pages().show(Content.of(TemplateName.ERROR, "incomplete"));
        }
        return pages().show(
                        link.sample()
                                ? Content.of(TemplateName.ERROR, "test-email")
                                : content.get().with(link));
    }

    @ExceptionHandler(StorageException.class)
    default ResponseEntity<String> unavailable(StorageException failure) {
        return pages().unavailable(failure);
    }
}
