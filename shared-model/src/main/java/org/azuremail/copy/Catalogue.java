package org.azuremail.copy;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.azuremail.storage.Storage;

/** The names of the product's tables, queues and containers. An account may also contain those of other programs. */
final class Catalogue {

    static final Set<String> TABLES =
            Set.of(("account apikey deadletter greeting idempotency image imports mailinglist message messagearchive"
                            + " outbox person segment service session signinattempt suppression template testmail watcher work")
                    .split(" "));

    static final Set<String> QUEUES =
            Set.of(("azuremailaskqueue azuremailfanoutqueue azuremailimportqueue azuremailjobqueue azuremailqueue"
                            + " azuremailsubscribequeue azuremailtestqueue")
                    .split(" "));

    static final Set<String> CONTAINERS =
            Set.of(("azuremail-blobsets azuremail-dead-letters azuremail-events azuremail-jobs azuremail-outbox"
                            + " azuremail-overflow azuremailblobcontainer azuremailimages azuremailimports azuremaillogos")
                    .split(" "));

    private static final Pattern PARTITION = Pattern.compile("-p[1-9][0-9]?$");

    /** Matches the queues of mail classes, which settings name. */
    private static final Pattern CLASS = Pattern.compile("^(azuremailqueue)-[a-z](?:-?[a-z0-9]){0,19}$");

    private Catalogue() {}

    /** Returns the part of the inventory that belongs to the product. */
    static Storage.Inventory ours(Storage.Inventory all) {
        return new Storage.Inventory(
                only(all.tables(), TABLES::contains),
                only(all.queues(), Catalogue::isQueue),
                only(all.containers(), CONTAINERS::contains));
    }

    /** Returns the names in the inventory that do not belong to the product, or only to another version of it. */
    static SortedSet<String> unknown(Storage.Inventory all) {
        SortedSet<String> unknown = new TreeSet<>();
        unknown.addAll(only(all.tables(), name -> !TABLES.contains(name)));
        unknown.addAll(only(all.queues(), name -> !isQueue(name)));
        unknown.addAll(only(all.containers(), name -> !CONTAINERS.contains(name)));
        return unknown;
    }

    /**
     * Returns whether a queue belongs to the product. A queue of the product with several partitions or mail classes is
     * stored as several queues.
     */
    private static boolean isQueue(String name) {
        String whole = PARTITION.matcher(name).replaceFirst("");
        return QUEUES.contains(CLASS.matcher(whole).replaceFirst("$1"));
    }

    private static SortedSet<String> only(SortedSet<String> names, Predicate<String> wanted) {
        return names.stream().filter(wanted).collect(Collectors.toCollection(TreeSet::new));
    }
}
