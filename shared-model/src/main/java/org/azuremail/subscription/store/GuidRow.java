package org.azuremail.subscription.store;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * The look-up row of a GUID.
 *
 * @param address the address of the GUID's subscriber; {@code null} once the subscriber has moved permanently
 * @param forward the subscriber's new row, from the beginning of the move on
 */
public record GuidRow(
        @Nullable EmailAddress address, @Nullable Forward forward) {

    /**
     * The GUID that replaces another one.
     *
     * @param sameAddress whether it belongs to the same address on another list, so that the holder of a link with the
     *     old GUID can read emails with the new one
     */
    public record Forward(ListName list, SubscriberGuid guid, boolean sameAddress) {}

    public static GuidRow of(ListName list, Values values) {
        String address = values.string("EmailAddress");
        return new GuidRow(address == null ? null : new EmailAddress(address), forward(list, values));
    }

    public Write upsert(SubscriberGuid guid) {
        Values.Builder values = Values.builder().put("EmailAddress", address == null ? null : address.value());
        if (forward != null) {
            values.put("Forward", forward.guid().value())
                    .put("ForwardList", forward.list().value())
                    .put("SameAddress", forward.sameAddress());
        }
        return Write.upsert(SubscriberKeys.guid(guid), values.build());
    }

    /** Returns the new row's GUID. A row of an older version names no list and means its own one. */
    private static @Nullable Forward forward(ListName own, Values values) {
        String guid = values.string("Forward");
        String list = values.string("ForwardList");
        return guid == null
                ? null
                : new Forward(
                        list == null ? own : new ListName(list),
                        new SubscriberGuid(guid),
                        values.bool("SameAddress", false));
    }
}
