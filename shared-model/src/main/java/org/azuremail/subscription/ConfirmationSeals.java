package org.azuremail.subscription;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.azuremail.id.IdSource;
import org.azuremail.id.InstallationKey;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;

/**
 * The secret in the link of a confirmation, which cannot be derived from emails of the list. It is an HMAC-SHA256 (RFC
 * 2104), cut to 128 bits, of the link's GUID, the address of the confirmation and the subscriber's episode. All
 * confirmations of one episode have the same seal. Only equal addresses have equal seals, so a link proves nothing
 * about another address.
 */
public final class ConfirmationSeals {

    private static final int BYTES = 16;

    private final InstallationKey key;
    private final SubscriptionProperties properties;

    public ConfirmationSeals(TableStore tables, IdSource ids, Time time, SubscriptionProperties properties) {
        this.key = new InstallationKey(tables, "confirmations", ids, time);
        this.properties = properties;
    }

    /** Creates the key if it does not exist yet. */
    public void makeKey() {
        key.bytes();
    }

    public ConfirmationLink link(Subscriber subscriber) {
        return new ConfirmationLink(subscriber.guid(), hmac(sealed(subscriber.guid(), subscriber)));
    }

    /**
     * Returns whether a link was created for this subscriber's present address and episode.
     *
     * @param subscriber the subscriber found by the link's GUID, who may have another GUID by now
     */
    public boolean fits(ConfirmationLink link, Subscriber subscriber) {
        byte[] wanted = hmac(sealed(link.guid(), subscriber)).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(wanted, link.seal().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a proof that only the page <em>you are unsubscribed</em> contains, and no email. The person can use it to
     * undo unsubscribing. It is valid for this departure only, because each departure begins an episode.
     */
    public String returnProof(Subscriber left) {
        return hmac("come back\n" + sealed(left.guid(), left));
    }

    /** Returns whether {@link #returnProof} returned this proof for the subscriber's present episode. */
    public boolean isReturnProof(String proof, Subscriber subscriber) {
        return MessageDigest.isEqual(
                returnProof(subscriber).getBytes(StandardCharsets.US_ASCII), proof.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether a link that fits is too old to confirm. */
    public boolean expired(Subscriber subscriber, Instant now) {
        return !subscriber.requestedAt().plus(properties.confirmationLink()).isAfter(now);
    }

    /**
     * Returns the sealed values. Neither a GUID nor an address contains a line break, so different values give
     * different texts.
     */
    private static String sealed(SubscriberGuid guid, Subscriber subscriber) {
        return guid + "\n" + subscriber.address().folded() + "\n"
                + subscriber.bookkeeping().episode();
    }

    private String hmac(String sealed) {
        byte[] whole = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key.bytes()).hmac(sealed);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, BYTES));
    }

    /**
     * The {@code id} in the link of a confirmation: a GUID that finds the subscriber, and a seal that alone confirms.
     * Emails of earlier versions contain only the GUID; such a link confirms nobody.
     *
     * @param guid the GUID of the link's owner, which stays the same until the subscriber's row moves
     * @param seal 22 characters of {@code A-Z a-z 0-9 - _}; empty in a link of an earlier version
     */
    public record ConfirmationLink(SubscriberGuid guid, String seal) {

        /** Returns the link if the text has the form of an {@code id}, whether or not the service created it. */
        public static Optional<ConfirmationLink> parse(String text) {
            int dot = text.lastIndexOf('.');
            return dot == text.indexOf('.')
                    ? SubscriberGuid.parse(text).map(guid -> new ConfirmationLink(guid, ""))
                    : SubscriberGuid.parse(text.substring(0, dot))
                            .map(guid -> new ConfirmationLink(guid, text.substring(dot + 1)));
        }

        public String id() {
            return guid + "." + seal;
        }
    }
}
