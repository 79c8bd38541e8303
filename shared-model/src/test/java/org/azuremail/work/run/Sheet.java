package org.azuremail.work.run;

import org.azuremail.work.queue.ItemType;

/** An item for tests. */
public record Sheet(String text) {

    public static final ItemType<Sheet> TYPE = ItemType.json("sheets", Sheet.class);
}
