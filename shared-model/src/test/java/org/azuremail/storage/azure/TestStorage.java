package org.azuremail.storage.azure;

import com.azure.core.http.policy.HttpPipelinePolicy;
import org.azuremail.storage.Storage;

/** The three ports on the account for tests, for contracts of what stands on them. */
public final class TestStorage {

    private static final Storage SHARED = of();

    private TestStorage() {}

    /** The one that all tests of this JVM share: names are to be fresh. */
    public static Storage shared() {
        return SHARED;
    }

    /** One whose every n-th answer is lost on its way, after what was asked for is done. */
    public static Storage losingEvery(int n) {
        LostAnswers answers = new LostAnswers();
        answers.loseEvery(n);
        return of(answers);
    }

    private static Storage of(HttpPipelinePolicy... nearTheWire) {
        return new AzureStorageConfiguration().storage(TestClients.of(nearTheWire));
    }
}
