package org.azuremail.web.account;

import org.azuremail.mail.EmailAddress;

/** Accounts for tests, made as in production: by an invitation. */
public final class TestAccounts {

    private TestAccounts() {}

    public static void add(Accounts accounts, EmailAddress email, String password, String by) {
        Secret invitation = accounts.link(OneTimeLink.Kind.INVITATION, email, by);
        accounts.useLink(invitation, password).orElseThrow();
    }
}
