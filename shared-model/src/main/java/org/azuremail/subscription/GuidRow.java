package org.azuremail.subscription;

import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The look-up row of a GUID.
 *
 * @param address whose GUID it is, or was
 * @param forward the GUID that stands for it since the address changed
 */
record GuidRow(EmailAddress address, @Nullable SubscriberGuid forward) {

    static GuidRow of(Values values) {
        String forward = values.string("Forward");
        return new GuidRow(
                new EmailAddress(values.requireString("EmailAddress")),
                forward == null ? null : new SubscriberGuid(forward));
    }

    Values values() {
        return Values.builder()
                .put("EmailAddress", address.value())
                .put("Forward", forward == null ? null : forward.value())
                .build();
    }
}
