package org.azuremail.delivery.testmail;

/**
 * An email to a list, on its way to the person who answers for the list.
 *
 * @param watcher that read it
 * @param key names it for this watcher
 * @param list the list from which it is sent
 * @param to the address of that person
 * @param fromName the sender's name; may be empty
 * @param from the sender, to whom an answer goes
 */
public record ForwardedReply(
        String watcher,
        String key,
        String list,
        String to,
        String fromName,
        String from,
        String subject,
        String text) {}
