package org.azuremail.web.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Messages.MessageCreateResult;
import org.azuremail.message.Messages.MessageEditResult;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Saves what an author has typed: a draft even if it is unfinished, any other message only if it can be sent. */
@Component
record MessageSaving(Messages messages, MessagePageSupport support) {

    /**
     * Saves a message.
     *
     * @param etag the ETag of the version from which the form was filled; empty for a new message. If a new message is
     *     sent twice, the second request changes it while it is a draft
     * @param schedule the schedule of the form; {@code null} if the form has none
     */
    MessageEditResult save(MessageRef ref, String etag, MessageForm form, @Nullable Schedule schedule, String by) {
        Optional<Versioned<Message>> active = messages.findActive(ref);
        Optional<Message> stored = active.map(Versioned::value).or(() -> messages.find(ref));
        if (stored.isEmpty()) {
            return etag.isEmpty() ? create(ref, form, schedule, by) : new MessageEditResult.Missing();
        }
        Message old = stored.get();
        if (etag.isEmpty() && active.isPresent() && !support.draft(old)) {
            return new MessageEditResult.Conflict(active.get());
        }
        String at = etag.isEmpty() ? active.map(Versioned::etag).orElse("") : etag;
        Schedule due = schedule != null && old.editable() && !schedule.showsSameTime(old.schedule())
                ? schedule
                : old.schedule();
        return messages.edit(
                ref,
                at,
                new Messages.Change(
                        old.editable() ? form.audience().orElse(old.audience()) : old.audience(),
                        form.subject() == null ? old.subject() : form.subject(),
                        form.htmlBytes(),
                        form.hasContent() ? form.markdownWritten() : null,
                        form.hasContent() ? form.layout() : null,
                        form.textBytes(),
                        due,
                        form.onUnknown() == null ? old.onUnknown() : form.onUnknownChoice(),
                        old.editable() ? form.mailClass() : null,
                        hold(old, due)));
    }

    private MessageEditResult create(MessageRef ref, MessageForm form, @Nullable Schedule schedule, String by) {
        Schedule due = schedule == null
                ? new Schedule(support.now(), support.settings().zone())
                : schedule;
        Audience audience = form.audience().orElse(null);
        if (audience == null) {
            return new MessageEditResult.Refused(List.of(new Problem("list", FormFault.LIST_MISSING)));
        }
        MessageCreateResult creation = messages.create(
                ref,
                new Messages.NewMessage(
                        audience, form.draft(), due, support.mail().onUnknown(), null, by, true, true));
        if (creation instanceof MessageCreateResult.Refused refused) {
            return new MessageEditResult.Refused(refused.problems());
        }
        return creation instanceof MessageCreateResult.Exists
                ? save(ref, "", form, schedule, by)
                : messages.findActive(ref)
                        .<MessageEditResult>map(MessageEditResult.Edited::new)
                        .orElseGet(MessageEditResult.Missing::new);
    }

    /**
     * Returns the hold of a message. A message that would be sent at once stays a draft until an admin confirms it in
     * the last step.
     */
    private Hold hold(Message old, Schedule due) {
        return support.draft(old) || !due.due().isAfter(support.now()) ? Hold.DRAFT : Hold.AS_IT_WAS;
    }

    /** The faults of a form that are found before a message can be checked. */
    enum FormFault implements Reason.Code {
        LIST_MISSING
    }
}
