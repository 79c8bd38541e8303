package org.azuremail.copy;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageInventory;

/** Looks whether anything of the product is stored. */
final class Contents {

    private Contents() {}

    /** The first table, queue or container that holds something. */
    static Optional<String> anyIn(CopyEnd end) {
        StorageInventory names = end.names();
        Storage storage = end.storage();
        return Stream.of(
                        first("table ", names.tables(), table -> hasRows(storage, table)),
                        first(
                                "queue ",
                                names.queues(),
                                queue -> storage.queues().approximateCount(queue) > 0),
                        first("container ", names.containers(), container -> hasBlobs(storage, container)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> first(String kind, Iterable<String> names, Predicate<String> holdsAny) {
        for (String name : names) {
            if (holdsAny.test(name)) {
                return Optional.of(kind + name);
            }
        }
        return Optional.empty();
    }

    private static boolean hasRows(Storage storage, String table) {
        return !Rows.first(storage.tables(), table, KeyRange.everything(), 1, null)
                .rows()
                .isEmpty();
    }

    private static boolean hasBlobs(Storage storage, String container) {
        return Tally.ofContainer(storage.blobs(), container).count() > 0;
    }
}
