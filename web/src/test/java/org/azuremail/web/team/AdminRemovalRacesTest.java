package org.azuremail.web.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.web.account.Account;
import org.azuremail.web.account.OneTimeLink;
import org.azuremail.web.account.Secret;
import org.azuremail.web.account.TestAccounts;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks what happens when another request interferes with the removal of an admin. */
class AdminRemovalRacesTest extends OnRemovals {

    private void atTheFirstChange(Predicate<Call> where, Runnable meanwhile) {
        storage.hook(new CallHook() {
            private boolean inside;

            @Override
            public void before(Call call) {
                if (!inside && call.kind().changes() && where.test(call)) {
                    inside = true;
                    meanwhile.run();
                }
            }
        });
    }

    @Test
    void ofTwoAdminsWhoRemoveEachOtherOneStays() {
        atTheFirstChange(call -> true, () -> assertThat(removal.remove(ANN, BOB, Set.of()))
                .isTrue());

        assertThat(removal.remove(BOB, ANN, Set.of())).isFalse();

        storage.hook(CallHook.NONE);
        assertThat(accounts.find(ANN)).isEmpty();
        assertThat(accounts.find(BOB)).get().extracting(Account::removing).isEqualTo(false);
        TestAccounts.add(accounts, ANN, "seven wet otters", "test");
    }

    @Test
    void twoWhoRemoveTheSameAdminAtOnceLeaveNothing() {
        TestAccounts.add(accounts, CARLA, "nine dry badgers", "test");
        storage.hook(new CallHook() {
            private int writes;

            @Override
            public void before(Call call) {
                if (call.kind().changes() && ++writes == 2) {
                    assertThat(removal.remove(BOB, CARLA, Set.of())).isTrue();
                }
            }
        });

        assertThat(removal.remove(BOB, ANN, Set.of(shop.key().id()))).isTrue();

        storage.hook(CallHook.NONE);
        assertThat(accounts.find(BOB)).isEmpty();
        assertThat(keys.ownedBy(BOB)).isEmpty();
        assertThat(keys.use(script.secret())).isInstanceOf(ApiKeys.Use.Refused.class);
    }

    @Test
    void aKeyThatIsWrittenAfterTheRemovalListedThemOpensNothing() {
        List<ApiKeys.NewKey> late = new ArrayList<>();
        atTheFirstChange(
                call -> call.place().equals("apikey"),
                () -> late.add(keys.create(
                        keys.nextSecret(), ApiKey.Terms.of("late", ApiKey.Scope.ADMIN, Set.of()), BOB.value())));

        assertThat(removal.remove(BOB, ANN, Set.of(shop.key().id()))).isTrue();

        assertThat(late).hasSize(1);
        assertThat(keys.use(late.get(0).secret())).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
        assertThat(keys.ownedBy(BOB)).isEmpty();
    }

    /** A removal sleeps at each call in turn, while another one finishes and Bob is added again. */
    @Test
    void theKeysAndLinksOfSomebodyWhoCameBackStay() {
        int slept = 0;
        for (Late late = late(1); late != null; late = late(++slept + 1)) {
            assertThat(keys.use(late.key())).as("at call " + slept).isInstanceOf(ApiKeys.Use.Granted.class);
            assertThat(accounts.openLink(late.link())).as("at call " + slept).isPresent();
            assertThat(accounts.find(BOB)).as("at call " + slept).isPresent();
            removal.remove(BOB, ANN, Set.of());
            bobIsAnAdmin();
        }
        assertThat(slept).as("calls of a removal that has begun").isGreaterThanOrEqualTo(5);
    }

    private record Late(Secret key, Secret link) {}

    private @Nullable Late late(int sleepsAt) {
        AtomicReference<Late> late = new AtomicReference<>();
        storage.hook(new CallHook() {
            private int calls;
            private boolean inside;

            @Override
            public void before(Call call) {
                if (!inside) {
                    inside = true;
                    boolean begun = accounts.find(BOB).filter(Account::removing).isPresent();
                    if (begun && ++calls == sleepsAt) {
                        late.set(bobComesBack());
                    }
                    inside = false;
                }
            }
        });
        removal.remove(BOB, ANN, Set.of());
        storage.hook(CallHook.NONE);
        return late.get();
    }

    private Late bobComesBack() {
        removal.remove(BOB, ANN, Set.of());
        TestAccounts.add(accounts, BOB, "ten loud herons", "test");
        Secret secret = keys.nextSecret();
        keys.create(secret, ApiKey.Terms.of("late", ApiKey.Scope.ADMIN, Set.of()), BOB.value());
        return new Late(
                secret, accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("eve@example.org"), BOB.value()));
    }

    @Test
    void aKeyKeptByARemoverWhoIsBeingRemovedIsRevoked() {
        TestAccounts.add(accounts, CARLA, "ten loud herons", "test");
        atTheFirstChange(call -> call.place().equals("apikey"), () -> assertThat(removal.remove(CARLA, ANN, Set.of()))
                .isTrue());

        assertThat(removal.remove(BOB, CARLA, Set.of(shop.key().id()))).isTrue();

        assertThat(keys.use(shop.secret())).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
    }
}
