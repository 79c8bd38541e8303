package org.azuremail.list;

import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans for mailing lists; they need a {@link Storage}. */
@Configuration(proxyBeanMethods = false)
@Import({SegmentStore.class, Logos.class})
class ListConfiguration {

    @Bean
    ListStore listStore(Storage storage) {
        TableStore tables = storage.tables();
        tables.createTable(ListStore.TABLE);
        return new ListStore(tables);
    }
}
