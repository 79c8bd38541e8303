package org.azuremail.subscription.confirmation;

import org.azuremail.list.ListName;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * A work item: mail this subscriber's confirmation. Its text is {@code GUID,list}; a GUID alone is understood too.
 *
 * @param list {@code null} when the text names only a GUID
 */
public record ConfirmationItem(
        SubscriberGuid guid, @Nullable ListName list) {

    public static final ItemType<ConfirmationItem> TYPE = new ItemType<>(
            "azuremailsubscribequeue", ConfirmationItem.class, ConfirmationItem::text, ConfirmationItem::parse);

    public String text() {
        return list == null ? guid.value() : guid.value() + "," + list.value();
    }

    /** @throws IllegalArgumentException when the text is no such item */
    public static ConfirmationItem parse(String text) {
        int comma = text.indexOf(',');
        return comma < 0
                ? new ConfirmationItem(new SubscriberGuid(text.strip()), null)
                : new ConfirmationItem(
                        new SubscriberGuid(text.substring(0, comma).strip()),
                        new ListName(text.substring(comma + 1).strip()));
    }
}
