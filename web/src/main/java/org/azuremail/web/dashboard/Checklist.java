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
 * The first steps in a new installation. Once all are done, or an admin has hidden the checklist, a row records this
 * permanently, and the process stops checking the steps.
 */
@Component
final class Checklist {

    private static final String PARTITION = "installation";
    private static final String ROW = "checklist";

    /** The most lists whose subscribers are counted. Each costs a read for each shard. */
    private static final int COUNTED = 5;

    private final Table table;
    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final TransportDirectory transports;
    private final Time time;
    private volatile boolean hidden;

    Checklist(
            Storage storage, ListStore lists, SubscriptionStore subscribers, TransportDirectory transports, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.lists = lists;
        this.subscribers = subscribers;
        this.transports = transports;
        this.time = time;
    }

    /** A step. Its texts are {@code checklist.<code>.title} and {@code .text}. */
    record Step(String code, boolean done, String path) {}

    /**
     * Returns the four steps; empty when the checklist is hidden or done.
     *
     * @param somethingSent whether any message was ever sent to a recipient
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
                new Step("server", transports.sendsExternally(), "/settings"),
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

    /** Hides the checklist permanently, for all admins. */
    void hide() {
        table.write(PARTITION, Write.upsert(ROW, Values.of("HiddenAt", time.instant())));
        hidden = true;
    }
}
