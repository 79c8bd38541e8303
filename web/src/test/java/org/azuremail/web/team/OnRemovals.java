package org.azuremail.web.team;

import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.web.PageTest;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.OneTimeLink;
import org.azuremail.web.account.Secret;
import org.azuremail.web.account.Sessions;
import org.azuremail.web.account.TestAccounts;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;

/** Adds Bob, an admin with a session, links and three keys, beside Ann, another admin. */
@PageTest
abstract class OnRemovals {

    static final EmailAddress ANN = new EmailAddress("ann@example.org");
    static final EmailAddress BOB = new EmailAddress("Bob@example.org");
    static final EmailAddress CARLA = new EmailAddress("carla@example.org");

    @Autowired
    Accounts accounts;

    @Autowired
    ApiKeys keys;

    @Autowired
    Sessions sessions;

    @Autowired
    SimulatedStorage storage;

    AdminRemoval removal;
    ApiKeys.NewKey shop;
    ApiKeys.NewKey script;
    ApiKeys.NewKey handed;
    Secret session;
    Secret invitation;
    Secret resetOfAnn;
    Secret secondInvitationOfBob;

    @BeforeEach
    void bobIsAnAdmin() {
        removal = new AdminRemoval(accounts, keys);
        TestAccounts.add(accounts, BOB, "nine dry badgers", "test");
        shop = keys.create(
                keys.nextSecret(),
                ApiKey.Terms.of("shop", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("news"))),
                BOB.value());
        script = keys.create(
                keys.nextSecret(), ApiKey.Terms.of("script", ApiKey.Scope.ADMIN, Set.of()), "bob@example.org");
        handed = keys.create(
                keys.nextSecret(), ApiKey.Terms.of("of Carla", ApiKey.Scope.ADMIN, Set.of()), CARLA.value());
        keys.transfer(handed.key().id(), BOB);
        session = sessions.begin(accounts.find(BOB).orElseThrow());
        invitation = accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("eve@example.org"), BOB.value());
        resetOfAnn = accounts.link(OneTimeLink.Kind.RESET, ANN, BOB.value());
        secondInvitationOfBob = accounts.link(OneTimeLink.Kind.INVITATION, BOB, ANN.value());
    }

    @AfterEach
    void nothingIsLeft() {
        storage.hook(CallHook.NONE);
        removal.remove(BOB, ANN, Set.of());
        removal.remove(CARLA, ANN, Set.of());
        keys.all().stream().filter(key -> key.owner().equals(ANN.value())).forEach(key -> keys.revoke(key.id()));
    }
}
