package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The three services answer to the clients as the product makes them. */
class AzureClientsIT {

    private final AzureClients clients = TestClients.of();

    @Test
    void allThreeServicesAnswer() {
        clients.tables().createTableIfNotExists("reachable");
        assertThat(clients.tables().listTables()).extracting("name").contains("reachable");
        clients.queues().getQueueClient("reachable").createIfNotExists();
        assertThat(clients.queues().getQueueClient("reachable").getProperties().getApproximateMessagesCountLong())
                .isZero();
        clients.blobs().getBlobContainerClient("reachable").createIfNotExists();
        assertThat(clients.blobs().getBlobContainerClient("reachable").exists()).isTrue();
    }
}
