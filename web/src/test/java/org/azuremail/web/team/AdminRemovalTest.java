package org.azuremail.web.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.web.account.Account;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeyChanges;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that the removal of an admin ends all access, even if its process dies in the middle. */
class AdminRemovalTest extends OnRemovals {

    @Autowired
    ApiKeyChanges changes;

    @Test
    void removingAnAdminEndsAllAccess() {
        assertThat(removal.remove(BOB, ANN, Set.of(shop.key().id()))).isTrue();

        assertThat(accounts.find(BOB)).isEmpty();
        assertThat(sessions.use(session)).isEmpty();
        assertThat(accounts.openLink(invitation)).isEmpty();
        assertThat(accounts.openLink(resetOfAnn)).isEmpty();
        assertThat(accounts.openLink(secondInvitationOfBob)).isEmpty();
        assertThat(keys.use(script.secret())).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
        assertThat(keys.use(handed.secret())).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
        assertThat(keys.use(shop.secret())).isInstanceOf(ApiKeys.Use.Granted.class);
        assertThat(keys.ownedBy(ANN)).extracting(ApiKey::label).containsExactly("shop");
        assertThat(keys.find(shop.key().id()))
                .get()
                .extracting(ApiKey::createdBy)
                .isEqualTo(BOB.value());
    }

    @Test
    void aRemovalThatDiesAnywhereHasEndedTheAccessFirstAndCanBeContinued() {
        int died = 0;
        for (int call = 1; diesAt(call); call++) {
            died++;
            boolean begun = accounts.find(BOB).map(Account::removing).orElse(true);
            assertThat(sessions.use(session).isEmpty())
                    .as("session ended at call " + call)
                    .isEqualTo(begun);
            assertThat(accounts.openLink(resetOfAnn).isEmpty())
                    .as("links ended at call " + call)
                    .isEqualTo(begun);
            if (!keys.ownedBy(BOB).isEmpty()) {
                assertThat(accounts.find(BOB))
                        .as("still listed at call " + call)
                        .isPresent();
            }

            assertThat(removal.remove(BOB, ANN, Set.of(shop.key().id())))
                    .as("goes on after call " + call)
                    .isTrue();

            assertThat(accounts.find(BOB)).isEmpty();
            assertThat(keys.ownedBy(BOB)).isEmpty();
            assertThat(keys.use(shop.secret())).isInstanceOf(ApiKeys.Use.Granted.class);
            bobIsAnAdmin();
        }
        assertThat(died).as("writes of a removal").isGreaterThanOrEqualTo(5);
    }

    /** Returns whether the process died before this write. Otherwise, the removal had fewer writes. */
    private boolean diesAt(int write) {
        AtomicInteger writes = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind().changes() && writes.incrementAndGet() == write) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "killed", null);
                }
            }
        });
        try {
            removal.remove(BOB, ANN, Set.of(shop.key().id()));
            return false;
        } catch (StorageException killed) {
            return true;
        } finally {
            storage.hook(CallHook.NONE);
        }
    }

    @Test
    void nobodyCreatesAKeyForAnAdminWhoIsBeingRemovedOrGone() {
        accounts.beginRemoval(BOB, ANN);
        assertThat(made(BOB.value())).isEmpty();
        accounts.finishRemoval(BOB);
        assertThat(made(BOB.value())).isEmpty();

        assertThat(made(ANN.value())).isPresent();
        assertThat(keys.all())
                .filteredOn(key -> key.label().equals("any"))
                .singleElement()
                .extracting(ApiKey::owner)
                .isEqualTo(ANN.value());
    }

    private Optional<ApiKeys.NewKey> made(String by) {
        return changes.create(keys.nextSecret(), ApiKey.Terms.of("any", ApiKey.Scope.METRICS, Set.of()), by);
    }
}
