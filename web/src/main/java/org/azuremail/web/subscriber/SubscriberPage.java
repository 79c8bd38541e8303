package org.azuremail.web.subscriber;

import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.field.Field;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Page;
import org.azuremail.subscription.People;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberFilter.FieldSearch;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.suppression.Suppression;
import org.azuremail.suppression.Suppressions;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of a list's subscribers, and of one subscriber with all declarations. */
@Controller
record SubscriberPage(
        ListStore lists,
        SubscriberPageSupport support,
        SubscriberPages pages,
        People people,
        SubscriptionStore store,
        FieldIndex index,
        Subscriptions subscriptions,
        Suppressions suppressions) {

    private static final int PAGE = 50;

    /** The value that means all lists where a list is chosen. No list has such a name. */
    private static final String EVERYWHERE = "*";

    @GetMapping("/subscribers")
    String all(
            @RequestParam @Nullable String list,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "") String state,
            @RequestParam(defaultValue = "") String field,
            @RequestParam @Nullable String cursor,
            Model model) {
        List<MailingList> all = lists.all();
        model.addAttribute("lists", all);
        model.addAttribute("states", SubscriberState.values());
        model.addAttribute("q", q);
        model.addAttribute("state", state);
        model.addAttribute("first", cursor == null);
        if (all.isEmpty()) {
            return "subscriber/all";
        }
        if (EVERYWHERE.equals(list)) {
            show(model, PageCursor.read("subscribers", cursor, from -> people.findByAddressPrefix(q, from, PAGE)));
            return "subscriber/all";
        }
        MailingList shown = list == null || list.isEmpty()
                ? all.get(0)
                : support.require(ListName.parse(list).orElseThrow(() -> new PageNotFoundException("no-list", list)));
        model.addAttribute("list", shown);
        model.addAttribute("counts", store.counts(shown));
        ListFields fields = support.fields().of(shown);
        Optional<Field> by = fields.find(field).filter(Field::searchable);
        boolean found = by.isEmpty() || index.state(shown.name()).canSearch(by.get());
        Page<Subscriber> page = found
                ? PageCursor.read(
                        "subscribers of " + shown.name() + " by " + by.map(Field::name),
                        cursor,
                        from -> page(shown, filter(q, state), by, q, from))
                : new Page<>(List.of(), null);
        show(model, page);
        model.addAttribute(
                "searchable", fields.fields().stream().filter(Field::searchable).toList());
        model.addAttribute("by", by.orElse(null));
        model.addAttribute(
                "addressesOnly",
                !q.isBlank() && by.isEmpty() && !fields.of(Field.NAME).searchable());
        boolean readable = q.isBlank()
                || by.isEmpty()
                || FieldSearch.beginning(by.get(), q).isPresent();
        model.addAttribute("unreadable", readable ? null : by.map(Field::type).orElse(null));
        model.addAttribute("unindexed", !found);
        model.addAttribute("values", by.map(one -> values(one, page.items())).orElse(Map.of()));
        return "subscriber/all";
    }

    private void show(Model model, Page<Subscriber> page) {
        model.addAttribute("page", page);
        model.addAttribute(
                "suppressed",
                suppressions.among(
                        page.items().stream().map(Subscriber::address).toList()));
    }

    private Page<Subscriber> page(
            MailingList list, SubscriberFilter filter, Optional<Field> by, String q, @Nullable String cursor) {
        if (by.isEmpty()) {
            return pages.page(list, filter, cursor, PAGE);
        }
        Optional<FieldSearch> search =
                q.isBlank() ? Optional.of(FieldSearch.all(by.get())) : FieldSearch.beginning(by.get(), q);
        return search.map(some -> pages.page(list, filter.by(some), cursor, PAGE))
                .orElseGet(() -> new Page<>(List.of(), null));
    }

    /** Returns the values of a field as people read them, by address. */
    private static Map<EmailAddress, String> values(Field field, List<Subscriber> subscribers) {
        return subscribers.stream()
                .collect(Collectors.toMap(
                        Subscriber::address,
                        one -> field.type()
                                .shown(one.profile().attributes().getOrDefault(field.name(), ""), Locale.ENGLISH),
                        (value, same) -> value));
    }

    @GetMapping("/subscribers/details")
    String one(@RequestParam ListName list, @RequestParam String email, Model model) {
        Subscriber subscriber = support.require(list, email).value();
        MailingList found = support.require(list);
        ListFields fields = support.fields().of(found);
        model.addAttribute("list", found);
        model.addAttribute("fields", fields.customFields());
        model.addAttribute("values", fields.shown(subscriber.profile().attributes(), Locale.ENGLISH));
        model.addAttribute("subscriber", subscriber);
        model.addAttribute("history", subscriber.consent().declarations());
        suppressions
                .find(subscriber.address())
                .filter(Suppression::active)
                .ifPresent(suppression -> model.addAttribute("suppression", suppression));
        return "subscriber/one";
    }

    @PostMapping("/subscribers/confirm-again")
    String confirmAgain(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = support.require(list, email).value().address();
        SubscribeResult result = subscriptions.resendConfirmation(list, address, Origin.admin(me.getName()));
        boolean capped = result instanceof SubscribeResult.ConfirmationCapped;
        Notice notice = result instanceof SubscribeResult.ConfirmationQueued
                ? Notice.done("confirmation-sent")
                : Notice.problem(capped ? "confirmation-capped" : "confirmation-not");
        return notice.on(SubscriberPageSupport.details(list, address));
    }

    @GetMapping("/subscribers/unsubscribe")
    String askToUnsubscribe(@RequestParam ListName list, @RequestParam String email, Model model) {
        return ask("unsubscribe", "/subscribers/unsubscribe", list, email, model);
    }

    private String ask(String code, String action, ListName list, String email, Model model) {
        EmailAddress address = support.require(list, email).value().address();
        return new Question(code, action, SubscriberPageSupport.details(list, address))
                .with("list", list.value())
                .with("email", address.value())
                .showing("email", address.value())
                .showing("list", list.value())
                .ask(model, "subscribers");
    }

    @PostMapping("/subscribers/unsubscribe")
    String unsubscribe(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = EmailAddress.stored(email).orElseThrow(() -> support.gone(email));
        LeaveResult result = subscriptions.leave(list, address, Origin.admin(me.getName()));
        if (result instanceof LeaveResult.Unknown) {
            throw support.gone(email);
        }
        boolean left = result instanceof LeaveResult.Left;
        return (left ? Notice.done("subscriber-left") : Notice.info("subscriber-left-before"))
                .on(SubscriberPageSupport.details(list, address));
    }

    @GetMapping("/subscribers/delete")
    String askToDelete(@RequestParam ListName list, @RequestParam String email, Model model) {
        return ask("delete-subscriber", "/subscribers/delete", list, email, model);
    }

    @PostMapping("/subscribers/delete")
    String delete(@RequestParam ListName list, @RequestParam String email, Principal me) {
        EmailAddress address = EmailAddress.stored(email).orElseThrow(() -> support.gone(email));
        EraseResult erasure = subscriptions.erase(list, address, Origin.admin(me.getName()));
        return Notice.done(erasure == EraseResult.SCHEDULED ? "subscriber-erasing" : "subscriber-erased")
                .on("/subscribers?list=" + list);
    }

    /**
     * Returns the filter for a state. Subscribers who moved are stored as Unsubscribed, but a search for people who
     * unsubscribed does not mean them.
     */
    private static SubscriberFilter filter(String prefix, String state) {
        if (AsciiWord.same("Moved", state)) {
            return new SubscriberFilter(prefix, Set.of(SubscriberState.UNSUBSCRIBED), true, null);
        }
        return AsciiWord.find(SubscriberState.class, SubscriberState::stored, state)
                .map(one -> new SubscriberFilter(prefix, Set.of(one), false, null))
                .orElseGet(() -> new SubscriberFilter(prefix, Set.of()));
    }
}
