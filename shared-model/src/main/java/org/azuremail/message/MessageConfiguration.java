package org.azuremail.message;

import org.azuremail.content.MessageBodies;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListStore;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.TableStore;
import org.azuremail.time.Time;
import org.azuremail.work.Signals;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Messages; every role needs them. */
@Configuration(proxyBeanMethods = false)
public class MessageConfiguration {

    @Bean
    MessageStore messageStore(TableStore tables) {
        return new MessageStore(tables);
    }

    @Bean
    MessageBlobs messageBlobs(BlobStore blobs) {
        return new MessageBlobs(blobs);
    }

    @Bean
    Messages messages(
            MessageStore store,
            MessageBlobs blobs,
            ListStore lists,
            MessageBodies bodies,
            CompactIds ids,
            Signals signals,
            Time time) {
        return new Messages(store, blobs, lists, bodies, ids, signals, time);
    }
}
