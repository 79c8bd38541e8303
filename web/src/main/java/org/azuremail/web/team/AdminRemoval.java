package org.azuremail.web.team;

import java.util.List;
import java.util.Set;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;

/**
 * Removes an admin with all access. First it closes the account with its sessions, devices and links, in one write.
 * Then it revokes or hands over the keys until none are left. Last it deletes the row. A key that is written later
 * revokes itself ({@link org.azuremail.web.key.ApiKeyChanges#create}). If a process dies in between, the account is
 * still listed as being removed, and the same call continues. Concurrent calls do no harm: a key that one of them
 * handed over no longer belongs to the admin.
 */
record AdminRemoval(Accounts accounts, ApiKeys keys) {

    /**
     * @param by the remover, who answers for the kept keys
     * @param kept the ids of the keys to keep; ids of other admins' keys are ignored
     * @return false when nothing was done because the account does not exist or is the remover's own, or because the
     *     remover is being removed
     */
    boolean remove(EmailAddress admin, EmailAddress by, Set<String> kept) {
        if (!accounts.beginRemoval(admin, by)) {
            return false;
        }
        List<ApiKey> owned = keys.ownedBy(admin);
        // Checked after the keys were read: another call may have finished meanwhile, and the admin may have returned
        // with new keys.
        while (!owned.isEmpty() && accounts.isBeingRemoved(admin)) {
            owned.forEach(key -> endAccess(key, by, kept));
            owned = keys.ownedBy(admin);
        }
        accounts.finishRemoval(admin);
        return true;
    }

    /**
     * Hands over or revokes a key. A kept key is revoked, too, if the remover is being removed: that removal may have
     * searched for the remover's keys before this one was handed over.
     */
    private void endAccess(ApiKey key, EmailAddress by, Set<String> kept) {
        if (kept.contains(key.id())) {
            keys.transfer(key.id(), by);
        }
        if (!kept.contains(key.id()) || !accounts.isActive(by)) {
            keys.revoke(key.id());
        }
    }
}
