package org.azuremail.list;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Mailing lists; needs a {@link Storage}. */
@Configuration(proxyBeanMethods = false)
class ListConfiguration {

    @Bean
    ListStore listStore(Storage storage) {
        TableStore tables = storage.tables();
        tables.createTable(ListStore.TABLE);
        return new ListStore(tables);
    }

    @Bean
    SegmentStore segmentStore(Storage storage) {
        return new SegmentStore(storage.tables());
    }

    @Bean
    Logos logos(Storage storage, IdSource ids) {
        return new Logos(storage.blobs(), ids);
    }
}
