package org.azuremail.message;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of messages, which every role needs. */
@Configuration(proxyBeanMethods = false)
@Import({
    MessageStore.class,
    MessageBlobs.class,
    AudienceCheck.class,
    Composition.class,
    MessageEditing.class,
    Messages.class
})
class MessageConfiguration {}
