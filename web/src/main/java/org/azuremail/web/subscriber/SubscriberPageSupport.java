package org.azuremail.web.subscriber;

import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.web.layout.PageNotFoundException;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

/** The code that the pages of subscribers share. */
@Component
record SubscriberPageSupport(
        ListStore lists, SubscriptionStore store, FieldStore fields, AzureMailProperties settings) {

    MailingList require(ListName list) {
        return lists.findValue(list).orElseThrow(() -> new PageNotFoundException("no-list", list.value()));
    }

    /**
     * Returns the lists to which a subscriber of this list can belong: this list and all that are not being deleted.
     */
    List<MailingList> choices(ListName present) {
        return lists.all().stream()
                .filter(list -> !list.deleting() || list.name().equals(present))
                .toList();
    }

    Versioned<Subscriber> require(ListName list, String email) {
        MailingList existing = require(list);
        return EmailAddress.candidates(email).stream()
                .map(address -> store.find(existing, address))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> gone(email));
    }

    PageNotFoundException gone(String email) {
        return new PageNotFoundException("no-subscriber", email);
    }

    /**
     * Returns the address of the page of one subscriber. An email address may contain any character, so it is encoded
     * as strictly as possible.
     */
    static String details(ListName list, EmailAddress address) {
        return page("/subscribers/details", list, address);
    }

    static String page(String path, ListName list, EmailAddress address) {
        return UriComponentsBuilder.fromPath(path)
                .queryParam("list", "{list}")
                .queryParam("email", "{email}")
                .encode()
                .buildAndExpand(list.value(), address.value())
                .toUriString();
    }
}
