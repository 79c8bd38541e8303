package org.azuremail.watcher.mailbox;

import java.util.Map;
import org.azuremail.feedback.BounceProcessor;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.watcher.Watcher;

/** Reads bounces from the mailbox to which the return paths of this installation's emails lead. */
final class BounceKind extends MailboxKind {

    private final BounceProcessor processor;

    BounceKind(MailboxConnector connector, IdleMailboxes idleMailboxes, SecretBox secrets, BounceProcessor processor) {
        super(connector, idleMailboxes, secrets);
        this.processor = processor;
    }

    @Override
    public String name() {
        return "bounces";
    }

    @Override
    Effect take(Watcher watcher, byte[] message) {
        return processor.process(message) ? Effect.BOUNCE : Effect.NONE;
    }

    @Override
    Reason result(Map<Effect, Integer> counts) {
        return Reason.of(
                MailboxReason.MAILBOX_BOUNCES,
                counts.getOrDefault(Effect.BOUNCE, 0),
                counts.getOrDefault(Effect.NONE, 0));
    }
}
