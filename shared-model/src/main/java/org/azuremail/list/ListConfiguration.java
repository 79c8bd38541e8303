package org.azuremail.list;

import org.azuremail.storage.TableStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Mailing lists; needs a {@link TableStore}. */
@Configuration(proxyBeanMethods = false)
public class ListConfiguration {

    @Bean
    ListStore listStore(TableStore tables) {
        tables.createTable(ListStore.TABLE);
        return new ListStore(tables);
    }
}
