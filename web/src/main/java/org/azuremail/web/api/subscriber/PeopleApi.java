package org.azuremail.web.api.subscriber;

import java.util.HashMap;
import java.util.Map;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.subscription.People;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/subscriptions")
record PeopleApi(People people, ListStore lists, FieldStore listFields) {

    @GetMapping
    Items<SubscriptionBody> beginning(@RequestParam(defaultValue = "") String prefix, Paging paging) {
        Map<ListName, ListFields> known = new HashMap<>();
        return paging.read(
                (limit, from) -> people.findByAddressPrefix(prefix, from, limit),
                subscriber -> SubscriptionBody.of(
                        subscriber, known.computeIfAbsent(subscriber.list(), this::fieldsOf), null));
    }

    private ListFields fieldsOf(ListName list) {
        return lists.find(list).map(found -> listFields.of(found.value())).orElse(ListFields.NONE);
    }
}
