package org.azuremail.web.message;

import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Editing;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.springframework.stereotype.Component;

/** Lets a draft go out at once. It is checked once more, because the list may have changed, and dated now. */
@Component
public class DraftSending {

    private final MessageDesk desk;
    private final Messages messages;
    private final MessageControl control;

    DraftSending(MessageDesk desk, Messages messages, MessageControl control) {
        this.desk = desk;
        this.messages = messages;
        this.control = control;
    }

    /** What came of it. */
    public enum Result {
        /** It goes out. */
        GOES,
        /** It is none, or somebody else was first. */
        NO_DRAFT,
        /** It cannot go out as it is. */
        REFUSED
    }

    /** Sends a draft. Doing it twice sends once. */
    public Result send(Message message) {
        Optional<Versioned<Message>> found = messages.findActive(message.ref());
        if (found.isEmpty() || !desk.draft(found.get().value())) {
            return Result.NO_DRAFT;
        }
        Message stored = found.get().value();
        Messages.Change today = new Messages.Change(
                stored.list(),
                stored.subject(),
                null,
                null,
                new Schedule(desk.now(), stored.zone()),
                stored.onUnknown());
        Editing editing = messages.edit(stored.ref(), found.get().etag(), today);
        if (editing instanceof Editing.Refused) {
            return Result.REFUSED;
        }
        boolean goes = editing instanceof Editing.Edited && control.resume(stored.ref());
        return goes ? Result.GOES : Result.NO_DRAFT;
    }
}
