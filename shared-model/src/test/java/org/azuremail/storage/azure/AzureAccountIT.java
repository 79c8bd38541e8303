package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Checks that the product's clients of the three services reach the account. */
class AzureAccountIT {

    private final AzureAccount account = TestClients.of();

    @Test
    void allThreeServicesAnswer() {
        account.tables().createTableIfNotExists("reachable");
        assertThat(account.tables().listTables()).extracting("name").contains("reachable");
        account.queues().getQueueClient("reachable").createIfNotExists();
        assertThat(account.queues().getQueueClient("reachable").getProperties().getApproximateMessagesCountLong())
                .isZero();
        account.blobs().getBlobContainerClient("reachable").createIfNotExists();
        assertThat(account.blobs().getBlobContainerClient("reachable").exists()).isTrue();
    }
}
