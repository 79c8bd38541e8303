package org.azuremail.storage.version;

/** The store was upgraded by a newer program; this one would misread it or undo what the newer one wrote. */
final class NewerStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NewerStoreException(int stored, int known) {
        super("A newer version of AzureMail has upgraded this storage to format " + stored
                + ", and this version reads formats up to " + known
                + ": start the newer version, or restore a backup that was made before the upgrade.");
    }
}
