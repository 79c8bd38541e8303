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
import org.azuremail.mail.ForeignMail;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.storage.StorageException;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a mailbox: each message has its effect, which is stored, before it is marked as done; a message that is read again has no
 * second effect. So it does not matter which process dies, and when.
 */
abstract class MailboxKind implements WatcherKind {

    private static final Logger LOG = LoggerFactory.getLogger(MailboxKind.class);

    /** Of one turn; other watchers wait for the same threads. */
    private static final int MOST_MESSAGES = 500;

    /** Messages that the server does not hand out stay first for ever; a turn passes over so many of them. */
    private static final int MOST_LOOKED_AT = 5_000;

    /** Marked as done together. */
    private static final int LOT = 50;

    /** In a row; more could lock the account. */
    private static final int MOST_REFUSALS = 6;

    private static final Duration LONGEST_REST = Duration.ofHours(1);

    enum Effect {
        BOUNCE,
        LEFT,
        FORWARDED,
        NONE,
        /** It was forwarded before and came back; it stays in the folder, for a person. */
        LOOPED,
        /** The program fails on it; it stays in the folder, so that it does not keep the others back. */
        BROKE;

        boolean stays() {
            return this == LOOPED || this == BROKE;
        }
    }

    private final MailboxConnector connector;
    private final ToldMailboxes told;
    private final SecretBox secrets;

    MailboxKind(MailboxConnector connector, ToldMailboxes told, SecretBox secrets) {
        this.connector = connector;
        this.told = told;
        this.secrets = secrets;
    }

    /**
     * Takes one message; what it does is stored when this returns. May be called again with the same message.
     *
     * @param message its first {@value ForeignMail#MOST_BYTES} bytes
     */
    abstract Effect take(Watcher watcher, byte[] message) throws Exception;

    /** The result of a turn that took messages. */
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
    public void left(String watcher) {
        told.end(watcher);
    }

    @Override
    public Next turn(Watcher watcher, Here here) throws Exception {
        told.end(watcher.name());
        MailboxSettings settings = MailboxSettings.of(watcher.settings());
        OpenMailbox mailbox = open(watcher, settings);
        boolean kept = false;
        try {
            Reading reading = read(watcher, mailbox, here);
            Reason result = reading.result(reading.counts.isEmpty() ? nothingNew(watcher) : result(reading.counts));
            boolean more = reading.left > reading.staying && !reading.counts.isEmpty();
            mailbox.finish();
            Duration rest = more ? Duration.ZERO : settings.interval();
            if (!more && !here.stopRequested() && told.take(watcher.name(), mailbox, here)) {
                kept = true;
                rest = rest.compareTo(ToldMailboxes.LONGEST) < 0 ? ToldMailboxes.LONGEST : rest;
            }
            return new Next(rest, "", result);
        } catch (MessagingException broke) {
            throw MailboxConnector.failed(settings, broke, "");
        } finally {
            if (!kept) {
                mailbox.close();
            }
        }
    }

    @Override
    public Reason test(Watcher watcher) throws Failed {
        return connector.test(MailboxSettings.of(watcher.settings()), password(watcher));
    }

    private String password(Watcher watcher) throws GaveUp {
        return watcher.secret(secrets, MailboxSettings.PASSWORD)
                .orElseThrow(() -> new GaveUp(Reason.of(MailboxReason.MAILBOX_SECRET)));
    }

    private OpenMailbox open(Watcher watcher, MailboxSettings settings) throws Failed {
        String password = password(watcher);
        try {
            return connector.open(settings, password);
        } catch (Failed failed) {
            throw failed.reason().is(MailboxReason.MAILBOX_PASSWORD) ? refused(watcher, failed.reason()) : failed;
        }
    }

    /** The reason that is stored counts the refusals: failures for other reasons do not endanger the account. */
    private static Failed refused(Watcher watcher, Reason refusal) {
        Reason before = watcher.progress().result();
        boolean again = watcher.progress().failures() > 0 && before.is(MailboxReason.MAILBOX_PASSWORD);
        int refusals = 1 + (again && before.text(1).matches("\\d") ? Integer.parseInt(before.text(1)) : 0);
        Reason counted = Reason.of(MailboxReason.MAILBOX_PASSWORD, refusal.text(0), refusals);
        return refusals >= MOST_REFUSALS ? new GaveUp(counted) : new Failed(counted);
    }

    private static final class Reading {
        private final Map<Effect, Integer> counts = new EnumMap<>(Effect.class);

        /** The server does not hand them out, they came back, or they cannot be read. */
        private int staying;

        private int looped;
        private int broke;
        private int left;

        private void stays(@Nullable Effect effect) {
            staying++;
            looped += effect == Effect.LOOPED ? 1 : 0;
            broke += effect == Effect.BROKE ? 1 : 0;
        }

        private Reason result(Reason news) {
            Reason also = broke == 0 ? news : Reason.of(MailboxReason.MAILBOX_UNREADABLE, broke, news);
            return looped == 0 ? also : Reason.of(MailboxReason.MAILBOX_LOOP, looped, also);
        }
    }

    private Reading read(Watcher watcher, OpenMailbox mailbox, Here here) throws Exception {
        Reading reading = new Reading();
        List<Message> done = new ArrayList<>();
        int all = mailbox.count();
        int marked = 0;
        try {
            for (Message message : mailbox.first(MOST_LOOKED_AT)) {
                if (here.stopRequested() || marked + done.size() == MOST_MESSAGES) {
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
                    mailbox.done(done);
                    done.clear();
                }
            }
        } finally {
            marked += done.size();
            mailbox.done(done);
        }
        reading.left = all - marked;
        return reading;
    }

    /** A storage that is away ends the turn, as a server does. Anything else that is thrown is about this one message. */
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

    /** The last news stay, so that a mailbox without news costs no write. */
    private static Reason nothingNew(Watcher watcher) {
        Reason before = watcher.progress().result();
        Reason others = before.is(MailboxReason.MAILBOX_LOOP) ? before.cause(1) : before;
        Reason news = others.is(MailboxReason.MAILBOX_UNREADABLE) ? others.cause(1) : others;
        return watcher.progress().failures() == 0 && !news.none() ? news : Reason.of(MailboxReason.MAILBOX_EMPTY);
    }

    /** A server or a storage that is away comes back: the tries are never used up. */
    @Override
    public Optional<Duration> retry(int failures) {
        return WatcherKind.doubling(failures, LONGEST_REST);
    }
}
