package org.azuremail.subscription.transfer;

import java.util.List;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Profile;

/**
 * A row of a file with a valid address.
 *
 * @param number the line of the file in which it begins
 * @param others the cells besides the address
 * @param again whether an earlier row of the same chunk has this address
 */
record ImportRow(long number, EmailAddress address, Profile profile, List<String> others, boolean again) {

    ImportRow {
        others = RefusedRow.kept(others);
    }

    RefusedRow refused(Reason reason) {
        return new RefusedRow(number, address.value(), reason, others);
    }
}
