package org.azuremail.architecture;

import java.util.List;

/** Belongs to web because web sees all modules. */
class ProductArchitectureTest implements ArchitectureContract {

    @Override
    public List<String> packagesToSee() {
        return List.of(
                "org.azuremail.storage.embedded",
                "org.azuremail.scheduler",
                "org.azuremail.sender",
                "org.azuremail.transport",
                "org.azuremail.web");
    }

    @Override
    public int minPackagePrivatePercentage() {
        return 55;
    }
}
