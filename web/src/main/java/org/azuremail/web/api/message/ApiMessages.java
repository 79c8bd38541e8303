package org.azuremail.web.api.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.segment.Segments;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Presents messages in answers, and reads the fields that several calls about messages share. */
@Component
record ApiMessages(Messages messages, MessageControl control, Segments segments, MailClasses classes) {

    MessageBody body(MessageRef ref) {
        return body(messages.find(ref).orElseThrow(() -> RefusedCall.notFound("There is no message " + ref + ".")));
    }

    MessageBody body(Message message) {
        return MessageBody.of(message, control.progress(message), List.of());
    }

    /** @throws RefusedCall if the audience's segment cannot be applied: the message would fail as soon as it is due */
    void requireSegment(Audience audience) {
        segments.fault(audience).ifPresent(fault -> {
            throw new RefusedCall(ProblemCode.STATE_FORBIDS, fault.words());
        });
    }

    /** Returns the name of the mail class with this label; empty if the label is missing or refused. */
    Optional<String> mailClass(@Nullable String label, RequestFields fields) {
        return fields.optional(
                "mailClass",
                label,
                typed -> classes.find(typed).map(MailClass::name),
                "There is no such class. The classes are " + classes.names() + ".");
    }
}
