package org.azuremail.web.team;

import java.util.Set;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;

/**
 * Removes an admin with all access: first the account is closed with its sessions, devices and links, in one write; then its
 * keys are revoked or handed over; last its row goes. When a process dies in between, the account is still listed, as one whose
 * removal is not finished, and the same call goes on. Several at once do no harm: a key that one of them handed over is no
 * longer the admin's.
 */
record AdminRemoval(Accounts accounts, ApiKeys keys) {

    /**
     * @param by who removes, and answers for the keys that go on
     * @param kept ids of the keys that go on; those that are not the admin's count for nothing
     * @return false when nothing was done: there is no such account, it is the remover's own, or the remover is removed
     */
    boolean remove(EmailAddress admin, EmailAddress by, Set<String> kept) {
        if (!accounts.beginRemoval(admin, by)) {
            return false;
        }
        for (ApiKey key : keys.ownedBy(admin)) {
            if (kept.contains(key.id())) {
                keys.handOver(key.id(), by);
            } else {
                keys.revoke(key.id());
            }
        }
        accounts.finishRemoval(admin);
        return true;
    }
}
