package org.azuremail.web.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.account.Account;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.OneTimeLink;
import org.azuremail.web.account.Secret;
import org.azuremail.web.account.Sessions;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeyChanges;
import org.azuremail.web.key.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Ann removes Bob, who has a session, links and three keys. */
@PageTest
class AdminRemovalTest {

    private static final EmailAddress ANN = new EmailAddress("ann@example.org");
    private static final EmailAddress BOB = new EmailAddress("Bob@example.org");
    private static final EmailAddress CARLA = new EmailAddress("carla@example.org");

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    Accounts accounts;

    @Autowired
    ApiKeys keys;

    @Autowired
    ApiKeyChanges changes;

    @Autowired
    Sessions sessions;

    @Autowired
    SimulatedStorage storage;

    private AdminRemoval removal;
    private ApiKeys.NewKey shop;
    private ApiKeys.NewKey script;
    private ApiKeys.NewKey handed;
    private Secret session;
    private Secret invitation;
    private Secret resetOfAnn;
    private Secret secondInvitationOfBob;

    @BeforeEach
    void bobIsAnAdmin() {
        removal = new AdminRemoval(accounts, keys);
        accounts.add(BOB, "nine dry badgers", "test");
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

    /** Returns whether the process died before this write; otherwise it made fewer writes. */
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
        accounts.add(ANN, "seven wet otters", "test");
    }

    @Test
    void twoWhoRemoveTheSameAdminAtOnceLeaveNothing() {
        accounts.add(CARLA, "nine dry badgers", "test");
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

    /** A removal sleeps at any call, while another one finishes and Bob comes back. */
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
        accounts.add(BOB, "ten loud herons", "test");
        Secret secret = keys.nextSecret();
        keys.create(secret, ApiKey.Terms.of("late", ApiKey.Scope.ADMIN, Set.of()), BOB.value());
        return new Late(
                secret, accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("eve@example.org"), BOB.value()));
    }

    @Test
    void aKeyKeptByARemoverWhoIsBeingRemovedIsRevoked() {
        accounts.add(CARLA, "ten loud herons", "test");
        atTheFirstChange(call -> call.place().equals("apikey"), () -> assertThat(removal.remove(CARLA, ANN, Set.of()))
                .isTrue());

        assertThat(removal.remove(BOB, CARLA, Set.of(shop.key().id()))).isTrue();

        assertThat(keys.use(shop.secret())).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
    }

    @Test
    void pageListsTheKeysAndAsksWhatBecomesOfThem() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts/remove?email=bob@example.org");
        assertThat(ann.text())
                .contains("Their 3 API keys", "Keep shop", "subscribe people to news", "Keep script", "Keep of Carla");

        ann.submit("/accounts/remove", Map.of("keep", script.key().id()));

        assertThat(ann.text()).contains("The account is removed");
        assertThat(keys.use(script.secret())).isInstanceOf(ApiKeys.Use.Granted.class);
        assertThat(keys.use(shop.secret())).isInstanceOf(ApiKeys.Use.Refused.class);
        assertThat(ann.open("/keys").text()).contains("by bob@example.org now of ann@example.org");
    }

    @Test
    void anUnfinishedRemovalIsShownAndNobodyCanRevive() throws Exception {
        accounts.beginRemoval(BOB, ANN);
        TestBrowser ann = browsers.getObject().signIn().open("/accounts");
        assertThat(ann.text()).contains("Removal not finished", "Finish removing");
        assertThat(browsers.getObject()
                        .signIn("bob@example.org", "nine dry badgers")
                        .errorAt("email"))
                .contains("email address or password is wrong");
        assertThat(accounts.changePassword(accounts.find(BOB).orElseThrow(), "eleven odd geese"))
                .isEmpty();

        ann.open("/accounts/remove?email=bob@example.org").submit("/accounts/remove", Map.of());

        assertThat(ann.open("/accounts").text()).doesNotContain("bob@example.org", "Bob@example.org");
    }

    @Test
    void nobodyRemovesTheirOwnAccountHoweverItIsSpelled() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts/remove?email=bob@example.org");

        ann.submit("/accounts/remove", Map.of("email", " ANN@EXAMPLE.ORG "));

        assertThat(ann.text()).contains("You cannot remove your own account");
        assertThat(accounts.find(ANN)).isPresent();
        assertThat(accounts.beginRemoval(ANN, ANN)).isFalse();
    }

    @Test
    void aResetLinkForOneselfIsRefused() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts");
        assertThat(ann.page()
                        .select("form[action=/accounts/reset] [name=email]")
                        .eachAttr("value"))
                .isNotEmpty()
                .doesNotContain("ann@example.org");

        ann.submit("/accounts/reset", Map.of("email", " Ann@Example.ORG "));

        assertThat(ann.address()).startsWith("/account");
        assertThat(ann.text()).contains("To change your own password").doesNotContain("/welcome?token=");
    }

    @Test
    void aKeyWhoseOwnerHasNoAccountIsMarked() throws Exception {
        removal.remove(BOB, ANN, Set.of());
        ApiKeys.NewKey late = keys.create(
                keys.nextSecret(), ApiKey.Terms.of("made in that moment", ApiKey.Scope.ADMIN, Set.of()), BOB.value());

        assertThat(browsers.getObject().signIn().open("/keys").text()).contains("Owner has no account");

        keys.revoke(late.key().id());
        assertThat(browsers.getObject().signIn().open("/keys").text()).doesNotContain("Owner has no account");
    }
}
