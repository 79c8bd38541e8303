package org.azuremail.storage.version;

import java.util.List;
import org.azuremail.storage.Storage;

/**
 * Brings what is stored from one format to the next, at the start of a newer program and before anything else of it runs.
 *
 * <p>A step may break off after any call and is then taken again from its beginning, also by several processes at once.
 * Processes of the version before go on reading and writing meanwhile, until they learn of the new number: so a step makes
 * only changes that they can live with, under ETags, and the program still reads rows of the format before, which they may
 * have written after the step.
 */
@FunctionalInterface
interface UpgradeStep {

    /** @throws org.azuremail.storage.StorageException when it breaks off */
    void run(Storage storage);

    /**
     * To format 2, which keeps programs away that do not know of this number. Rows are as before; properties that are new in
     * them mean what their readers say where they are missing.
     */
    UpgradeStep TO_2 = storage -> {};

    /**
     * To format 3, which keeps programs away that do not know of index rows, segments and several lists: they would write
     * subscribers without their index rows, and send a message to more people than it is meant for.
     */
    UpgradeStep TO_3 = storage -> {};

    /** The steps of this program in their order. One that was ever released is never changed; new ones follow it. */
    List<UpgradeStep> ALL = List.of(TO_2, TO_3);
}
