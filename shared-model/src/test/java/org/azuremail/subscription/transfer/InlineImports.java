package org.azuremail.subscription.transfer;

import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Runs imports in tests of the web role, which only starts them. */
public final class InlineImports {

    private InlineImports() {}

    public static void run(AutowireCapableBeanFactory beans, ImportId id) throws Exception {
        beans.createBean(ImportService.class).handle(new ImportItem(id), Deliveries.first());
    }
}
