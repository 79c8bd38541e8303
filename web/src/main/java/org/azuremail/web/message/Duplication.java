package org.azuremail.web.message;

import java.security.Principal;
import java.util.Optional;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.web.layout.Notice;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** A draft with the content of another message. */
@Controller
record Duplication(Messages messages, MessageDesk desk) {

    @PostMapping("/messages/{ref}/duplicate")
    String duplicate(@PathVariable MessageRef ref, Principal me) {
        Message message = desk.require(ref);
        Optional<Bodies> bodies = messages.bodies(message);
        if (bodies.isEmpty()) {
            return Notice.problem("message-not-duplicated").on("/messages/" + ref);
        }
        Messages.Creation made = messages.create(new Messages.NewMessage(
                message.audience().onAnyDay(),
                messages.draft(message, bodies.get()),
                new Schedule(desk.now(), message.schedule().zone()),
                message.onUnknown(),
                message.mailClass(),
                me.getName(),
                true,
                true));
        return made instanceof Messages.Creation.Created created
                ? Notice.done("message-duplicated")
                        .on("/messages/" + created.message().ref() + "/edit")
                : Notice.problem("message-not-duplicated").on("/messages/" + ref);
    }
}
