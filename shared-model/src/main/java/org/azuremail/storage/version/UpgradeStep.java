package org.azuremail.storage.version;

import java.util.List;
import org.azuremail.storage.Storage;

/**
 * Upgrades the stored data from one format to the next. A step runs when a newer program starts, before any other part
 * of the program.
 *
 * <p>A step may break off after any call. It then runs again from its beginning, perhaps in several processes at once.
 * Processes of the previous version still read and write meanwhile, until they detect the new format. A step therefore
 * makes only changes that they tolerate, under ETags. The new program still reads rows of the old format, which these
 * processes may have written after the step.
 */
@FunctionalInterface
interface UpgradeStep {

    /** @throws org.azuremail.storage.StorageException if the step breaks off */
    void run(Storage storage);

    /**
     * The step to format 2, which keeps out programs that do not know this number. It changes no rows, because readers
     * have a default for new properties that are missing.
     */
    UpgradeStep TO_2 = storage -> {};

    /**
     * The step to format 3, which keeps out programs that do not know index rows, segments and messages to several
     * lists. Such programs would write subscribers without their index rows, and send a message to more people than it
     * is meant for.
     */
    UpgradeStep TO_3 = storage -> {};

    /** The steps of this program in their order. A released step never changes, and new steps are appended. */
    List<UpgradeStep> ALL = List.of(TO_2, TO_3);
}
