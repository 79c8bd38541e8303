package org.azuremail.web.dashboard;

import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.springframework.stereotype.Component;

/**
 * The first steps of a newcomer. Once all are done, or an admin has hidden it, a row says so for ever, and this process asks no
 * more.
 */
@Component
final class Checklist {

    private static final String PARTITION = "installation";
    private static final String ROW = "checklist";

    /** The counts of a list take a read a shard. */
    private static final int COUNTED = 5;

    private final Table table;
    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final TransportDirectory mail;
    private final Time time;
    private volatile boolean hidden;

    Checklist(Storage storage, ListStore lists, SubscriptionStore subscribers, TransportDirectory mail, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.lists = lists;
        this.subscribers = subscribers;
        this.mail = mail;
        this.time = time;
    }

    /** A step; its texts are {@code checklist.<code>.title} and {@code .text}. */
    record Step(String code, boolean done, String path) {}

    /**
     * The four steps; empty when there is nothing to show any more.
     *
     * @param somethingSent whether anybody ever got a message
     */
    Optional<List<Step>> steps(boolean somethingSent) {
        if (isHidden()) {
            return Optional.empty();
        }
        List<MailingList> all = lists.active();
        boolean people = subscribers.counts(all.subList(0, Math.min(COUNTED, all.size()))).values().stream()
                .anyMatch(counts -> counts.total() > 0);
        List<Step> steps = List.of(
                new Step("list", !all.isEmpty(), "/lists/new"),
                new Step(
                        "people",
                        people,
                        all.isEmpty() ? "/lists" : "/lists/" + all.get(0).name()),
                new Step("server", mail.leaves(), "/settings"),
                new Step("message", somethingSent, "/messages/new"));
        if (steps.stream().allMatch(Step::done)) {
            hide();
            return Optional.empty();
        }
        return Optional.of(steps);
    }

    boolean isHidden() {
        hidden = hidden || table.get(PARTITION, ROW).isPresent();
        return hidden;
    }

    /** For everybody and for ever. */
    void hide() {
        table.write(PARTITION, Write.upsert(ROW, Values.of("HiddenAt", time.instant())));
        hidden = true;
    }
}
