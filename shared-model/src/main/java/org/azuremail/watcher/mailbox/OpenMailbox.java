package org.azuremail.watcher.mailbox;

import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.FolderClosedException;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Store;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.mail.InboundMailParser;
import org.azuremail.reason.Reason;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.eclipse.angus.mail.pop3.POP3Folder;
import org.eclipse.angus.mail.pop3.POP3Message;

/** One connection to a mailbox. Used by one thread at a time; {@link #abort} may be called from any thread. */
final class OpenMailbox implements AutoCloseable {

    /** The longest time of one step, even if the server sends slowly. */
    private static final Duration STEP = Duration.ofMinutes(5);

    /** The number of lines to read of a message that is too large, because POP3 can only count lines. */
    private static final int FIRST_LINES = 2_000;

    private final Store store;
    private final MailboxSettings settings;
    private final AbortableSockets sockets;
    private final Set<String> capabilities;
    private final Folder target;
    private final Folder folder;
    private int[] sizes = {};

    /** The number of messages that {@link #count} includes and that existed when the turn read the folder. */
    private int known;

    /**
     * Asks for the server's capabilities before the folder is open; afterwards, each question would need another
     * connection.
     */
    OpenMailbox(Store store, MailboxSettings settings, AbortableSockets sockets)
            throws MessagingException, WatcherException {
        this.store = store;
        this.settings = settings;
        this.sockets = sockets;
        capabilities = new HashSet<>();
        if (store instanceof IMAPStore imap) {
            for (String one : List.of("IDLE", "MOVE", "UIDPLUS")) {
                if (imap.hasCapability(one)) {
                    capabilities.add(one);
                }
            }
        }
        target = store.getFolder(settings.moveTo().isEmpty() ? settings.folder() : settings.moveTo());
        if (!target.exists() && !(settings.moves() && target.create(Folder.HOLDS_MESSAGES))) {
            throw new WatcherException(Reason.of(MailboxReason.MAILBOX_NO_FOLDER, target.getName()));
        }
        folder = store.getFolder(settings.folder());
        if (!folder.exists()) {
            throw new WatcherException(Reason.of(MailboxReason.MAILBOX_NO_FOLDER, settings.folder()));
        }
        folder.open(Folder.READ_WRITE);
    }

    MailboxSettings settings() {
        return settings;
    }

    /** Returns the number of messages; moved messages are included until the folder is closed. */
    int count() throws MessagingException {
        return folder.getMessageCount();
    }

    List<Message> first(int max) throws MessagingException {
        sockets.abortIn(STEP);
        if (folder instanceof POP3Folder pop3) {
            sizes = pop3.getSizes();
        }
        known = count();
        int count = Math.min(known, max);
        return count < 1 ? List.of() : List.of(folder.getMessages(1, count));
    }

    /**
     * Returns the first {@value InboundMailParser#MAX_BYTES} bytes of a message; no more of it is ever in memory.
     *
     * @return empty when the server does not deliver the message or has deleted it
     */
    byte[] start(Message message) throws MessagingException {
        sockets.abortIn(STEP);
        try (InputStream in = stream(message)) {
            return in.readNBytes(InboundMailParser.MAX_BYTES);
        } catch (FolderClosedException gone) {
            throw gone;
        } catch (MessageRemovedException somebodyElse) {
            return new byte[0];
        } catch (MessagingException | IOException refused) {
            if (!folder.isOpen()) {
                throw new FolderClosedException(folder, refused.getMessage(), refused);
            }
            return new byte[0];
        } finally {
            if (message instanceof POP3Message pop3) {
                pop3.invalidate(true);
            }
        }
    }

    private InputStream stream(Message message) throws MessagingException, IOException {
        if (message instanceof POP3Message pop3) {
            boolean large = sizes[message.getMessageNumber() - 1] > InboundMailParser.MAX_BYTES;
            return large ? pop3.top(FIRST_LINES) : pop3.getMimeStream();
        }
        return ((IMAPMessage) message).getMimeStream();
    }

    /**
     * Marks messages as done, as the settings say. With POP3, this takes effect only when {@link #finish} has returned.
     */
    void markDone(List<Message> messages) throws MessagingException {
        if (messages.isEmpty()) {
            return;
        }
        sockets.abortIn(STEP);
        Message[] some = messages.toArray(Message[]::new);
        if (settings.moves()) {
            if (capabilities.contains("MOVE")) {
                ((IMAPFolder) folder).moveMessages(some, target);
                return;
            }
            folder.copyMessages(some, target);
        }
        folder.setFlags(some, new Flags(Flags.Flag.DELETED), true);
        if (folder instanceof IMAPFolder imap) {
            known -= (capabilities.contains("UIDPLUS") ? imap.expunge(some) : imap.expunge()).length;
        }
    }

    /** Makes the marks take effect. With POP3, nothing can be read afterwards. */
    void finish() throws MessagingException {
        if (folder instanceof POP3Folder) {
            sockets.abortIn(STEP);
            folder.close(true);
        }
    }

    /** Returns whether the server reports new messages. */
    boolean supportsIdle() {
        return folder.isOpen() && capabilities.contains("IDLE");
    }

    /** Waits until a message arrives that did not exist at {@link #first}. */
    void await(Duration max) throws MessagingException {
        sockets.abortIn(max);
        while (count() <= known) {
            ((IMAPFolder) folder).idle(true);
        }
    }

    /** Closes the connection without a goodbye; calls that wait for the server end at once. */
    void abort() {
        sockets.abort();
    }

    @Override
    public void close() {
        sockets.abortIn(STEP);
        try {
            if (folder.isOpen()) {
                folder.close(false);
            }
            store.close();
        } catch (MessagingException | RuntimeException alreadyGone) {
            // Nothing is lost, because the important part is done.
        } finally {
            sockets.abort();
        }
    }
}
