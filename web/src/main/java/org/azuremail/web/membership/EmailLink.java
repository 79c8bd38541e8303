package org.azuremail.web.membership;

import static org.azuremail.web.layout.FormErrors.stripped;
import static org.azuremail.web.layout.FormErrors.text;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/** The values in a link of an email. */
record EmailLink(@Nullable String id, @Nullable String listName) {

    /** Returns whether a part is missing. Such a link was cut off, not forged. */
    boolean incomplete() {
        return id == null || id.isBlank() || listName == null || listName.isBlank();
    }

    Optional<ListName> list() {
        return ListName.parse(text(listName));
    }

    Optional<SubscriberGuid> guid() {
        return SubscriberGuid.parse(stripped(id));
    }

    /** Returns the confirmation link with this id, in the format of this or an earlier version. */
    Optional<ConfirmationLink> confirmation() {
        return ConfirmationLink.parse(stripped(id));
    }

    /** Returns whether the link is from a test email or a preview, and so belongs to no subscriber. */
    boolean sample() {
        return guid().filter(SubscriberGuid.NOBODY::equals).isPresent();
    }
}
