package org.azuremail.subscription;

import org.azuremail.mail.EmailAddress;

/**
 * A row of a file whose address is one.
 *
 * @param number as a spreadsheet shows it
 */
record ImportRow(long number, EmailAddress address, Profile profile) {

    RefusedRow refused(String reason) {
        return new RefusedRow(number, address.value(), reason);
    }
}
