package org.azuremail.storage.version;

import java.util.List;
import org.azuremail.storage.Storage;

/**
 * Brings the stored data from one format to the next, when a newer program starts and before any other part of it runs.
 *
 * <p>A step may break off after any call and is then taken again from its beginning, also by several processes at once.
 * Processes of the version before still read and write meanwhile, until they learn of the new number. So a step makes only
 * changes that they tolerate, under ETags, and the new program still reads rows of the old format, which they may have
 * written after the step.
 */
@FunctionalInterface
interface UpgradeStep {

    /** @throws org.azuremail.storage.StorageException when it breaks off */
    void run(Storage storage);

    /**
     * To format 2, which keeps out programs that do not know of this number. Rows are as before; readers have a default for
     * new properties that are missing.
     */
    UpgradeStep TO_2 = storage -> {};

    /**
     * To format 3, which keeps out programs that do not know of index rows, segments and several lists: they would write
     * subscribers without their index rows, and send a message to more people than it is meant for.
     */
    UpgradeStep TO_3 = storage -> {};

    /** The steps of this program in their order. One that was ever released is never changed; new ones follow it. */
    List<UpgradeStep> ALL = List.of(TO_2, TO_3);
}
