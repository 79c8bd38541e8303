package org.azuremail.subscription;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
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
import org.azuremail.time.Time;

/**
 * The secret in a confirmation's link, which nobody can derive from list mail: HMAC-SHA256 (RFC 2104), cut to 128 bits, over
 * the link's GUID, the address to which it is mailed and the subscriber's episode. All mails of one episode carry the same.
 * Only equal addresses have equal seals, so a link proves nothing about any other address.
 */
public final class ConfirmationSeals {

    private static final int BYTES = 16;

    private final InstallationKey key;
    private final Duration life;

    /** @param life how long a link confirms after the last request */
    public ConfirmationSeals(TableStore tables, IdSource ids, Time time, Duration life) {
        this.key = new InstallationKey(tables, "confirmations", ids, time);
        this.life = life;
    }

    /** Creates the key where there is none yet. */
    public void makeKey() {
        key.bytes();
    }

    public ConfirmationLink link(Subscriber subscriber) {
        return new ConfirmationLink(subscriber.guid(), seal(subscriber.guid(), subscriber));
    }

    /**
     * Returns whether a link was made for this subscriber as they are now: under this address and in this episode.
     *
     * @param subscriber who is found by the link's GUID, perhaps under a GUID of today
     */
    public boolean fits(ConfirmationLink link, Subscriber subscriber) {
        byte[] wanted = seal(link.guid(), subscriber).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(wanted, link.seal().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A proof that only the page <em>you are unsubscribed</em> knows, and no email: with it the person can take that back. It is
     * about this departure only, for each begins an episode.
     */
    public String comeBack(Subscriber left) {
        return hmac("come back\n" + sealed(left.guid(), left));
    }

    /** Returns whether {@link #comeBack} gave this out for the subscriber as they are now. */
    public boolean fitsComeBack(String proof, Subscriber subscriber) {
        return MessageDigest.isEqual(
                comeBack(subscriber).getBytes(StandardCharsets.US_ASCII), proof.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether a link that fits is too old to confirm. */
    public boolean expired(Subscriber subscriber, Instant now) {
        return !subscriber.requestedAt().plus(life).isAfter(now);
    }

    /** Neither a GUID nor an address holds a line break, so no two sets of values read alike. */
    private static String sealed(SubscriberGuid guid, Subscriber subscriber) {
        return guid + "\n" + subscriber.address().folded() + "\n"
                + subscriber.bookkeeping().episode();
    }

    private String seal(SubscriberGuid guid, Subscriber subscriber) {
        return hmac(sealed(guid, subscriber));
    }

    private String hmac(String sealed) {
        byte[] whole = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key.bytes()).hmac(sealed);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, BYTES));
    }

    /**
     * The {@code id} in a confirmation's link: the GUID, by which the subscriber is found, and a seal, which alone
     * confirms. Mails of earlier versions carry the GUID alone; such a link confirms nobody.
     *
     * @param guid whose link it is; it stays the same for as long as the subscriber's row is not moved
     * @param seal 22 characters of {@code A-Z a-z 0-9 - _}; empty in a link of an earlier version
     */
    public record ConfirmationLink(SubscriberGuid guid, String seal) {

        /** The link's {@code id} if it reads like one, whether or not we made it. */
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
