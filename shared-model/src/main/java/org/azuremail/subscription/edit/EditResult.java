package org.azuremail.subscription.edit;

import org.azuremail.list.ListName;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Subscriber;

/** The result of an admin's change of a subscriber. */
public sealed interface EditResult {

    /** The change is saved; this is the row now. */
    record Saved(Versioned<Subscriber> subscriber) implements EditResult {}

    /** Somebody else saved first; nothing changed. */
    record Conflict(Versioned<Subscriber> current) implements EditResult {}

    /** The address is on the list already, in some state; nothing changed. */
    record AlreadyThere(Versioned<Subscriber> current) implements EditResult {}

    /** The state does not allow it; nothing changed. */
    record NotPossible(Versioned<Subscriber> current, Reason reason) implements EditResult {}

    /** There is no such subscriber. */
    record Missing() implements EditResult {}

    /** There is no such list, or it is being deleted. */
    record NoSuchList(ListName list) implements EditResult {}
}
