package org.azuremail.delivery;

import java.time.Instant;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.RestoredBackup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Pauses every message that is not final when the storage turns out to be a restored backup, before any worker starts: what
 * went out since the backup was made is not known here, so a person has to decide.
 */
public class RestoreGuard implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreGuard.class);

    private final RestoredBackup restored;
    private final MessageStore messages;
    private final MessageControl control;

    public RestoreGuard(RestoredBackup restored, MessageStore messages, MessageControl control) {
        this.restored = restored;
        this.messages = messages;
        this.control = control;
    }

    @Override
    public void afterSingletonsInstantiated() {
        restored.madeAt().ifPresent(this::pauseAll);
    }

    /** Repeated at the next start when it breaks off. */
    private void pauseAll(Instant madeAt) {
        String reason = "the storage was restored from a backup of " + madeAt
                + ": who was mailed since then is not known, and would be mailed again";
        for (ActiveEntry entry : messages.active()) {
            control.pause(entry.ref(), reason);
            LOG.warn("message {} is paused: {}", entry.ref(), reason);
        }
        restored.handled();
    }
}
