package org.azuremail.blobset;

import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Storage;
import org.azuremail.storage.azure.TestStorage;
import org.azuremail.time.ManualTime;

/** Runs the contract of sets and jobs on the test account. */
class AzureSetJobIT implements SetJobContract {

    private final ManualTime time = new ManualTime();
    private final String set = FreshNames.next();

    @Override
    public Storage storage() {
        return TestStorage.shared();
    }

    @Override
    public ManualTime time() {
        return time;
    }

    /** Returns a process whose ids no other test has created on this account. */
    @Override
    public JobWorld process(long seed) {
        return new JobWorld(storage(), time, set.hashCode() * 1000L + seed, JobWorld.MANY, set);
    }

    @Override
    public int many() {
        return 150;
    }

    @Override
    public String set() {
        return set;
    }
}
