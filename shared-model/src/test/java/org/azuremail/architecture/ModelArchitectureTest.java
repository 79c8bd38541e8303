package org.azuremail.architecture;

import java.util.List;

class ModelArchitectureTest implements ArchitectureContract {

    @Override
    public List<String> packagesToSee() {
        return List.of(
                "org.azuremail.storage", "org.azuremail.storage.embedded", "org.azuremail.work", "org.azuremail.list");
    }

    /** The percentage is lower than in the product, because this module exists for the others. */
    @Override
    public int minPackagePrivatePercentage() {
        return 30;
    }
}
