package org.azuremail.web.api.subscriber;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The tutorial's own call, with its answers and texts. It is the only GET that writes. It needs the same key as every
 * other call. New programs should use {@code POST /api/v1/lists/{list}/subscriptions}.
 */
@RestController
record SubscribeApi(Subscriptions subscriptions) {

    @GetMapping("/api/SubscribeAPI")
    ResponseEntity<String> subscribe(
            HttpMethod method,
            @RequestParam(defaultValue = "") String emailAddress,
            @RequestParam(defaultValue = "") String listName,
            Origin origin) {
        // Spring also maps HEAD requests to this method, and they must not change anything.
        if (method.equals(HttpMethod.HEAD)) {
            return ResponseEntity.status(HttpStatus.METHOD_NOT_ALLOWED)
                    .allow(HttpMethod.GET)
                    .build();
        }
        Optional<ListName> list = ListName.parse(listName);
        if (list.isEmpty()) {
            return refused("No such list " + listName);
        }
        Optional<EmailAddress> address = EmailAddress.parse(emailAddress);
        if (address.isEmpty()) {
            return refused("Not an e-mail address: " + emailAddress);
        }
        SubscribeResult result = subscriptions.subscribe(list.get(), address.get(), Profile.NONE, origin);
        if (result instanceof SubscribeResult.NoSuchList) {
            return refused("No such list " + listName);
        }
        if (result instanceof SubscribeResult.AlreadySubscribed) {
            return refused(address.get() + " Currently subscribed to: " + list.get());
        }
        return ResponseEntity.accepted().build();
    }

    private static ResponseEntity<String> refused(String text) {
        return ResponseEntity.badRequest().contentType(MediaType.TEXT_PLAIN).body(text);
    }
}
