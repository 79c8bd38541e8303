package org.azuremail.architecture;

import java.util.List;

class ModelArchitectureTest implements ArchitectureContract {

    @Override
    public List<String> packagesToSee() {
        return List.of(
                "org.azuremail.storage", "org.azuremail.storage.embedded", "org.azuremail.work", "org.azuremail.list");
    }

    /** Fewer than in the product: this module is there for the others. */
    @Override
    public int minPackagePrivatePercentage() {
        return 30;
    }
}
