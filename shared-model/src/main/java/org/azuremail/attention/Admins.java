package org.azuremail.attention;

import java.util.List;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;

/**
 * The admins who are emailed about problems that need a person. The web application writes the accounts; every process
 * may read their email addresses.
 */
public final class Admins {

    /** The table of the accounts, followed by its partition and the prefix of the accounts' keys. */
    public static final String TABLE = "account";

    public static final String PARTITION = "accounts";
    public static final String PREFIX = "account:";

    /** Properties of an account. */
    public static final String EMAIL = "Email";

    public static final String REMOVING = "Removing";
    public static final String NO_ALERTS = "NoAlerts";

    private final TableStore tables;

    public Admins(Storage storage) {
        this.tables = storage.tables();
        tables.createTable(TABLE);
    }

    /** Returns the addresses of all admins who want these emails, with one query. */
    public List<EmailAddress> alertRecipients() {
        return Rows.all(tables, TABLE, KeyRange.prefix(PARTITION, PREFIX)).stream()
                .map(row -> row.values())
                .filter(account -> !account.bool(REMOVING, false) && !account.bool(NO_ALERTS, false))
                .map(account -> EmailAddress.stored(account.string(EMAIL, "")))
                .flatMap(Optional::stream)
                .toList();
    }
}
