package org.azuremail.web.api.subscriber;

import java.util.HashMap;
import java.util.Map;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Page;
import org.azuremail.subscription.People;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.Items;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** People over all lists. */
@RestController
@RequestMapping("/api/v1/subscriptions")
record PeopleApi(People people, ListStore lists, FieldStore listFields) {

    @GetMapping
    Items<SubscriptionBody> beginning(
            @RequestParam(defaultValue = "") String prefix,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "100") int limit) {
        Fields fields = new Fields();
        if (limit < 1 || limit > SubscriberPages.MAX_PAGE) {
            fields.refuse("limit", "Say 1 to " + SubscriberPages.MAX_PAGE + ".");
        }
        fields.check();
        try {
            Page<Subscriber> page = people.beginning(prefix, cursor, limit);
            Map<ListName, ListFields> known = new HashMap<>();
            return new Items<>(
                    page.items().stream()
                            .map(subscriber -> SubscriptionBody.of(
                                    subscriber, known.computeIfAbsent(subscriber.list(), this::fieldsOf), null))
                            .toList(),
                    page.continuation());
        } catch (IllegalArgumentException notOurs) {
            fields.refuse("cursor", "This is no cursor of ours.");
            throw fields.refusal();
        }
    }

    private ListFields fieldsOf(ListName list) {
        return lists.find(list).map(found -> listFields.of(found.value())).orElse(ListFields.NONE);
    }
}
