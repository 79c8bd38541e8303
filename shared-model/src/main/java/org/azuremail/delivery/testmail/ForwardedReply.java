package org.azuremail.delivery.testmail;

import java.util.List;

/**
 * An email to a list, to be forwarded to the person responsible for the list.
 *
 * @param watcher the watcher that read it
 * @param key identifies it for this watcher
 * @param list the list from which it is sent
 * @param to the address of that person
 * @param fromName the sender's name; may be empty
 * @param from the sender, to whom an answer is sent; empty if the reply contains no address
 * @param forwarders the hosts of the installations that forwarded it before; none in items of older versions
 */
public record ForwardedReply(
        String watcher,
        String key,
        String list,
        String to,
        String fromName,
        String from,
        String subject,
        String text,
        List<String> forwarders) {

    /** The header that names the installations that forwarded an email, so that an installation recognizes its own. */
    public static final String LOOP = "X-Loop";

    public ForwardedReply {
        forwarders = forwarders == null ? List.of() : List.copyOf(forwarders);
    }
}
