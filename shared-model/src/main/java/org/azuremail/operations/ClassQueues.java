package org.azuremail.operations;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * The queues of the mail classes, including classes that were removed from the settings, because their queues may still
 * hold work. Each queue is recorded in a row of table {@code work}, partition {@code class-queue}. Safe for use from
 * many threads and processes.
 */
final class ClassQueues {

    private static final String PARTITION = "class-queue";

    private final Table table;
    private final MailClasses classes;
    private @Nullable Set<String> former;

    ClassQueues(Storage storage, MailClasses classes) {
        this.table = new Table(storage.tables(), "work");
        this.classes = classes;
    }

    /** Returns the queues of the classes that the settings define. */
    Set<String> present() {
        return classes.all().stream()
                .map(one -> one.queue(MailItem.TYPE.queue()))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the queues of classes that were removed. The first call of a process reads the storage, and records the
     * present queues.
     */
    synchronized Set<String> former() {
        if (former == null) {
            Set<String> known = table.stream(KeyRange.partition(PARTITION))
                    .map(Row::rowKey)
                    .collect(Collectors.toCollection(TreeSet::new));
            present().stream()
                    .filter(queue -> !known.remove(queue))
                    .forEach(queue -> table.write(PARTITION, Write.insert(queue, Values.none())));
            former = known;
        }
        return former;
    }
}
