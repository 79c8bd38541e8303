package org.azuremail.web.membership;

import static org.azuremail.web.layout.FormErrors.stripped;
import static org.azuremail.web.layout.FormErrors.text;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/** The values in the link of an email. */
record EmailLink(@Nullable String id, @Nullable String listName) {

    /** Returns whether a part is missing: then the link was cut off, not forged. */
    boolean incomplete() {
        return id == null || id.isBlank() || listName == null || listName.isBlank();
    }

    Optional<ListName> list() {
        return ListName.parse(text(listName));
    }

    Optional<SubscriberGuid> guid() {
        return SubscriberGuid.parse(stripped(id));
    }

    /** The id as a confirmation's link has it, or had it in earlier versions. */
    Optional<ConfirmationLink> confirmation() {
        return ConfirmationLink.parse(stripped(id));
    }

    /** Returns whether the link stands in a test email or a preview: it belongs to nobody. */
    boolean sample() {
        return guid().filter(SubscriberGuid.NOBODY::equals).isPresent();
    }
}
