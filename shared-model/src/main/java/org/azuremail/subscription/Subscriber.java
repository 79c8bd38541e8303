package org.azuremail.subscription;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/**
 * A person on a list.
 *
 * @param address as it was typed; its folded form is the key
 * @param guid the secret in the person's links
 * @param createdAt when the row was made
 */
public record Subscriber(
        ListName list,
        EmailAddress address,
        SubscriberGuid guid,
        SubscriberState state,
        Profile profile,
        Instant createdAt,
        Consent consent,
        Marks marks) {

    public Subscriber {
        createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    }

    /** Whether list mail goes to this person. */
    public boolean verified() {
        return state == SubscriberState.SUBSCRIBED;
    }

    /** The row key in its shard: where a walk goes on. */
    public String rowKey() {
        return SubscriberKeys.email(address.folded());
    }

    public int shard() {
        return guid.shard();
    }
}
