package org.azuremail.storage;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of everything that a storage holds, sorted. No port lists them: the product knows its names, and only a copy of
 * a whole storage needs the names that are there.
 */
public record StorageInventory(SortedSet<String> tables, SortedSet<String> queues, SortedSet<String> containers) {

    public StorageInventory {
        tables = new TreeSet<>(tables);
        queues = new TreeSet<>(queues);
        containers = new TreeSet<>(containers);
    }
}
