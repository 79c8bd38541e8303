package org.azuremail.web.block;

import org.azuremail.subscription.subscriber.Subscriber;
import org.springframework.web.util.UriComponentsBuilder;

/** The addresses to which items link. */
final class Links {

    private Links() {}

    static String to(Subscriber person) {
        return UriComponentsBuilder.fromPath("/subscribers/details")
                .queryParam("list", "{list}")
                .queryParam("email", "{email}")
                .encode()
                .buildAndExpand(person.list().value(), person.address().value())
                .toUriString();
    }
}
