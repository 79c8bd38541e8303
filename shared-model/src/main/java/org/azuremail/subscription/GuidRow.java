package org.azuremail.subscription;

import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * The look-up row of a GUID.
 *
 * @param address whose GUID it is; {@code null} once the address has changed for good
 * @param forward the GUID that stands for it since the address changes
 */
record GuidRow(@Nullable EmailAddress address, @Nullable SubscriberGuid forward) {

    static GuidRow of(Values values) {
        String address = values.string("EmailAddress");
        String forward = values.string("Forward");
        return new GuidRow(
                address == null ? null : new EmailAddress(address),
                forward == null ? null : new SubscriberGuid(forward));
    }

    Write upsert(SubscriberGuid guid) {
        return Write.upsert(
                SubscriberKeys.guid(guid),
                Values.builder()
                        .put("EmailAddress", address == null ? null : address.value())
                        .put("Forward", forward == null ? null : forward.value())
                        .build());
    }
}
