package org.azuremail.feedback;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The address at which people unsubscribe by email.
 *
 * @param unsubscribeAddress a mailbox that a watcher for replies reads: {@code leave@example.org} becomes {@code
 *     leave+<handle>@example.org} in the List-Unsubscribe of each email; a {@code *} says where else the handle stands;
 *     {@code null} for none
 */
@ConfigurationProperties("azuremail.mail")
public record UnsubscribeProperties(@Nullable String unsubscribeAddress) {

    private static final String SETTING = "azuremail.mail.unsubscribe-address";

    public UnsubscribeProperties {
        HandleAddress address = HandleAddress.of(unsubscribeAddress, SETTING);
        unsubscribeAddress = address == null ? null : address.pattern();
    }

    /** @throws IllegalArgumentException when a bounce could be taken for the wish to leave */
    public void checkApartFrom(FeedbackProperties bounces) {
        if (unsubscribeAddress != null && unsubscribeAddress.equalsIgnoreCase(bounces.bounceAddress())) {
            throw new IllegalArgumentException(SETTING + " must differ from azuremail.mail.bounce-address");
        }
    }

    /** The handle in such an address, wherever it stands in this text. */
    public Optional<String> handleIn(String text) {
        return Optional.ofNullable(HandleAddress.of(unsubscribeAddress, SETTING))
                .flatMap(known -> known.handleIn(text));
    }
}
