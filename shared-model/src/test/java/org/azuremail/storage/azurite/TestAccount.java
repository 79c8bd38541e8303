package org.azuremail.storage.azurite;

/** The account on which the contracts run: Azurite's, or a real one under the profile {@code azure-account}. */
public final class TestAccount {

    private static final String VARIABLE = "AZUREMAIL_TEST_CONNECTION_STRING";

    private TestAccount() {}

    /** @throws IllegalStateException if a real account is requested but not configured */
    public static String connectionString() {
        return isReal() ? requireReal() : Azurite.shared().connectionString();
    }

    /** Returns whether the account is in Azure. */
    public static boolean isReal() {
        return Boolean.getBoolean("azuremail.test.azure-account");
    }

    private static String requireReal() {
        String connectionString = System.getenv(VARIABLE);
        if (connectionString == null || connectionString.isBlank()) {
            throw new IllegalStateException("the profile azure-account needs a storage account for tests: set "
                    + VARIABLE + " to its connection string. The tests leave tables, queues and containers behind");
        }
        return connectionString;
    }
}
