package org.azuremail.subscription.transfer;

import org.azuremail.work.queue.ItemType;

/** A work item: an import to run. */
public record ImportItem(ImportId id) {

    public static final ItemType<ImportItem> TYPE = new ItemType<>(
            "azuremailimportqueue",
            ImportItem.class,
            item -> item.id().value(),
            text -> new ImportItem(new ImportId(text)));
}
