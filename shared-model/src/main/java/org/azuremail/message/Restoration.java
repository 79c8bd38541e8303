package org.azuremail.message;

import org.azuremail.storage.Values;

/**
 * The consequences of a restored backup for a message.
 *
 * @param epoch of the last restore that was processed, 0 for none; the message's new ranges also carry it
 * @param inDoubt whether recipients who are recorded from now on may have been emailed after the backup was made
 */
public record Restoration(int epoch, boolean inDoubt) {

    public static final Restoration NONE = new Restoration(0, false);

    static Restoration from(Values values) {
        return new Restoration(values.integer("Restored", 0), values.bool("RestoredInDoubt", false));
    }

    void into(Values.Builder values) {
        values.put("Restored", epoch).put("RestoredInDoubt", inDoubt);
    }
}
