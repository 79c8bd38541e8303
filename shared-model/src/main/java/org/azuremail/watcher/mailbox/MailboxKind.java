package org.azuremail.watcher.mailbox;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.mail.InboundMailParser;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Durations;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a mailbox. The effect of each message is stored before the message is marked as done, and a message that is
 * read again has no second effect. So a process may die at any moment.
 */
abstract class MailboxKind implements WatcherKind {

    private static final Logger LOG = LoggerFactory.getLogger(MailboxKind.class);

    /** The most messages of one turn, because other watchers wait for the same threads. */
    private static final int MAX_MESSAGES = 500;

    /**
     * The most messages that one turn reads. Messages that the server does not deliver stay first in the folder
     * permanently, so a turn skips up to this many of them.
     */
    private static final int MAX_SCANNED = 5_000;

    /** The number of messages that are marked as done together. */
    private static final int LOT = 50;

    /** The most refused sign-ins in a row; more could lock the account. */
    private static final int MAX_REFUSALS = 6;

    private static final Duration MAX_REST = Duration.ofHours(1);

    enum Effect {
        BOUNCE,
        LEFT,
        FORWARDED,
        NONE,
        /** The message was forwarded before and came back; it stays in the folder for a person to check. */
        LOOPED,
        /** The list in whose name the message would be forwarded does not exist; it stays until another is chosen. */
        LISTLESS,
        /** The program fails on the message; it stays in the folder, so that it does not hold the others up. */
        BROKE;

        boolean stays() {
            return this == LOOPED || this == LISTLESS || this == BROKE;
        }
    }

    private final MailboxConnector connector;
    private final IdleMailboxes idleMailboxes;
    private final SecretBox secrets;

    MailboxKind(MailboxConnector connector, IdleMailboxes idleMailboxes, SecretBox secrets) {
        this.connector = connector;
        this.idleMailboxes = idleMailboxes;
        this.secrets = secrets;
    }

    /**
     * Processes one message, and returns after the effect is stored. May be called again with the same message.
     *
     * @param message its first {@value InboundMailParser#MAX_BYTES} bytes
     */
    abstract Effect take(Watcher watcher, byte[] message) throws Exception;

    /** Returns the result of a turn that processed messages. */
    abstract Reason result(Map<Effect, Integer> counts);

    @Override
    public Map<String, String> faults(Map<String, String> settings) {
        return MailboxSettings.faults(settings);
    }

    @Override
    public Map<String, String> defaults() {
        return MailboxSettings.DEFAULTS;
    }

    @Override
    public Set<String> secrets() {
        return Set.of(MailboxSettings.PASSWORD);
    }

    @Override
    public void released(String watcher) {
        idleMailboxes.stopWaiting(watcher);
    }

    @Override
    public TurnResult turn(Watcher watcher, TurnContext context) throws Exception {
        idleMailboxes.stopWaiting(watcher.name());
        MailboxSettings settings = MailboxSettings.of(watcher.settings());
        OpenMailbox mailbox = open(watcher, settings);
        boolean kept = false;
        try {
            Reading reading = read(watcher, mailbox, context);
            Reason result = reading.result(reading.counts.isEmpty() ? nothingNew(watcher) : result(reading.counts));
            boolean more = reading.left > reading.staying && !reading.counts.isEmpty();
            mailbox.finish();
            Duration rest = more ? Duration.ZERO : settings.interval();
            if (!more && !context.stopRequested() && idleMailboxes.startWaiting(watcher.name(), mailbox, context)) {
                kept = true;
                rest = Durations.max(rest, IdleMailboxes.MAX_IDLE_WAIT);
            }
            return new TurnResult(rest, account(watcher), result);
        } catch (MessagingException broke) {
            throw MailboxConnector.failed(settings, broke, "");
        } finally {
            if (!kept) {
                mailbox.close();
            }
        }
    }

    @Override
    public Reason test(Watcher watcher) throws WatcherException {
        return connector.test(MailboxSettings.of(watcher.settings()), password(watcher));
    }

    private String password(Watcher watcher) throws PermanentWatcherException {
        return watcher.secret(secrets, MailboxSettings.PASSWORD)
                .orElseThrow(() -> new PermanentWatcherException(Reason.of(MailboxReason.MAILBOX_SECRET)));
    }

    private OpenMailbox open(Watcher watcher, MailboxSettings settings) throws WatcherException {
        String password = password(watcher);
        try {
            return connector.open(settings, password);
        } catch (WatcherException failed) {
            throw failed.reason().is(MailboxReason.MAILBOX_PASSWORD) ? refused(watcher, failed.reason()) : failed;
        }
    }

    /** Returns a digest of the account whose sign-in succeeded; the watcher's notes from turn to turn. */
    private static String account(Watcher watcher) {
        Map<String, String> settings = watcher.settings();
        return DigestUtils.sha256Hex(settings.get("host") + "\n" + settings.get("username") + "\n"
                + watcher.secrets().get(MailboxSettings.PASSWORD));
    }

    /**
     * Counts the refusals in the stored reason, because failures for other reasons do not endanger the account. A
     * refusal without a response code may have another cause if the same password worked before.
     */
    private static WatcherException refused(Watcher watcher, Reason refusal) {
        if (!MailboxConnector.isDefinite(refusal) && watcher.progress().state().equals(account(watcher))) {
            return new WatcherException(Reason.of(MailboxReason.MAILBOX_REFUSED, refusal.text(0)));
        }
        Reason before = watcher.progress().result();
        boolean again = watcher.progress().failures() > 0 && before.is(MailboxReason.MAILBOX_PASSWORD);
        int refusals = 1 + (again && before.text(1).matches("\\d") ? Integer.parseInt(before.text(1)) : 0);
        Reason counted = Reason.of(MailboxReason.MAILBOX_PASSWORD, refusal.text(0), refusals);
        return refusals >= MAX_REFUSALS ? new PermanentWatcherException(counted) : new WatcherException(counted);
    }

    private static final class Reading {
        private final Map<Effect, Integer> counts = new EnumMap<>(Effect.class);

        /**
         * The number of messages that stay in the folder, because the server does not deliver them, they came back,
         * they cannot be forwarded, or they cannot be read.
         */
        private int staying;

        private int looped;
        private int listless;
        private int broke;
        private int left;

        private void stays(@Nullable Effect effect) {
            staying++;
            looped += effect == Effect.LOOPED ? 1 : 0;
            listless += effect == Effect.LISTLESS ? 1 : 0;
            broke += effect == Effect.BROKE ? 1 : 0;
        }

        private Reason result(Reason news) {
            Reason others = broke == 0 ? news : Reason.of(MailboxReason.MAILBOX_UNREADABLE, broke, news);
            Reason also = listless == 0 ? others : Reason.of(MailboxReason.MAILBOX_NO_LIST, listless, others);
            return looped == 0 ? also : Reason.of(MailboxReason.MAILBOX_LOOP, looped, also);
        }
    }

    private Reading read(Watcher watcher, OpenMailbox mailbox, TurnContext context) throws Exception {
        Reading reading = new Reading();
        List<Message> done = new ArrayList<>();
        int all = mailbox.count();
        int marked = 0;
        try {
            for (Message message : mailbox.first(MAX_SCANNED)) {
                if (context.stopRequested() || marked + done.size() == MAX_MESSAGES) {
                    break;
                }
                byte[] start = mailbox.start(message);
                Effect effect = start.length == 0 ? null : taken(watcher, start);
                if (effect == null || effect.stays()) {
                    reading.stays(effect);
                    continue;
                }
                reading.counts.merge(effect, 1, Integer::sum);
                done.add(message);
                if (done.size() == LOT) {
                    marked += done.size();
                    mailbox.markDone(done);
                    done.clear();
                }
            }
        } finally {
            marked += done.size();
            mailbox.markDone(done);
        }
        reading.left = all - marked;
        return reading;
    }

    /**
     * Processes a message. A storage outage ends the turn, as a server outage does. Any other exception concerns this
     * one message.
     */
    private Effect taken(Watcher watcher, byte[] message) throws Exception {
        try {
            return take(watcher, message);
        } catch (StorageException away) {
            throw away;
        } catch (RuntimeException | StackOverflowError e) {
            LOG.warn("Watcher {}: a message cannot be read and stays in the mailbox", watcher.name(), e);
            return Effect.BROKE;
        }
    }

    /** Keeps the last news as the result, so that a mailbox without news costs no write. */
    private static Reason nothingNew(Watcher watcher) {
        Reason news = watcher.progress().result();
        while (news.is(MailboxReason.MAILBOX_LOOP)
                || news.is(MailboxReason.MAILBOX_NO_LIST)
                || news.is(MailboxReason.MAILBOX_UNREADABLE)) {
            news = news.cause(1);
        }
        return watcher.progress().failures() == 0 && !news.none() ? news : Reason.of(MailboxReason.MAILBOX_EMPTY);
    }

    /** The tries are never used up, because an outage of the server or of the storage ends by itself. */
    @Override
    public Optional<Duration> retry(int failures) {
        return WatcherKind.exponentialBackoff(failures, MAX_REST);
    }
}
