package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class SignInStoresTest {

    private static final EmailAddress ANN = new EmailAddress("ann@example.org");
    private static final String RIGHT = "seven wet otters";

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 2);
    private final Passwords passwords = new Passwords(4);
    private final Accounts accounts = new Accounts(storage.storage(), passwords, new SeededIds(1), time);
    private final SignInAttempts attempts = new SignInAttempts(storage.storage(), new SeededIds(3), time);
    private final KnownDevices devices = new KnownDevices(storage.storage(), new SeededIds(4), time);
    private final SignIn signIn = new SignIn(accounts, passwords, devices, attempts, new PasswordCheckLimiter(100));
    private final Sessions sessions = new Sessions(
            storage.storage(),
            accounts,
            new SessionProperties(Duration.ofHours(12), Duration.ofDays(7)),
            new SeededIds(2),
            time);

    @Test
    void oneNetworkAddressIsSlowedDownOverManyAccounts() {
        for (int i = 0; i < 20; i++) {
            assertThat(attempt("user" + i + "@example.org", "guess", "192.0.2.1"))
                    .isInstanceOf(SignIn.Result.BadCredentials.class);
        }

        assertThat(attempt("another@example.org", "guess", "192.0.2.1")).isInstanceOf(SignIn.Result.Throttled.class);
        assertThat(attempt("another@example.org", "guess", "192.0.2.2"))
                .isInstanceOf(SignIn.Result.BadCredentials.class);
    }

    @Test
    void aNetworkOfIpv6CountsAsOneAddress() {
        for (int i = 0; i < 20; i++) {
            attempt("user" + i + "@example.org", "guess", "2001:db8:1:2:0:0:0:" + i);
        }

        assertThat(attempt("x@example.org", "guess", "2001:db8:1:2:ffff:0:0:1"))
                .isInstanceOf(SignIn.Result.Throttled.class);
        assertThat(attempt("x@example.org", "guess", "2001:db8:1:3:0:0:0:1"))
                .isInstanceOf(SignIn.Result.BadCredentials.class);
    }

    @Test
    void guessesAtTheSameTimeAreAllCounted() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        attempt("first@example.org", "guess", "192.0.2.8");
        storage.hook(new CallHook() {
            private boolean inside;

            @Override
            public void before(Call call) {
                if (!inside
                        && call.place().equals("signinattempt")
                        && call.kind().changes()) {
                    inside = true;
                    attempt("x@example.org", "guess", "192.0.2.9");
                }
            }
        });

        for (int i = 0; i < 19; i++) {
            assertThat(attempt("user" + i + "@example.org", "guess", "192.0.2.9"))
                    .isInstanceOf(SignIn.Result.BadCredentials.class);
        }
        assertThat(attempt(ANN.value(), RIGHT, "192.0.2.9")).isInstanceOf(SignIn.Result.Throttled.class);
    }

    @Test
    void theWaitGrowsToAQuarterOfAnHourAndIsForgottenAfterADay() {
        List<SignInAttempts.Subject> network =
                List.of(new SignInAttempts.Subject(SignInAttempts.Subject.Kind.NETWORK, "192.0.2.1", 0));
        Duration wait = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            assertThat(attempts.count(network)).isEmpty();
            wait = attempts.count(network).orElseThrow();
            time.advance(wait);
        }
        assertThat(wait).isEqualTo(Duration.ofMinutes(15));

        time.advance(Duration.ofDays(1));
        assertThat(attempts.count(network)).isEmpty();
        assertThat(attempts.count(network)).contains(Duration.ofSeconds(4));
    }

    @Test
    void failuresAreForgottenAfterTheRightPassword() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4; i++) {
                attempt(ANN.value(), "guess", "192.0.2.1");
            }
            assertThat(attempt("Ann@Example.org", RIGHT, "192.0.2.1")).isInstanceOf(SignIn.Result.Success.class);
        }
    }

    @Test
    void aSessionThatEndedByTimeIsKnownForAWeekAndOneThatSomebodyEndedIsNot() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        Account ann = accounts.find(ANN).orElseThrow();
        Secret left = sessions.begin(ann);
        Secret ended = sessions.begin(ann);
        sessions.end(ended);
        assertThat(sessions.isLive(left)).isTrue();
        assertThat(sessions.isLive(ended)).isFalse();
        time.advance(Duration.ofDays(7));
        sessions.sweep();

        assertThat(sessions.use(left)).isEmpty();
        assertThat(sessions.isLive(left)).isFalse();
        assertThat(sessions.known(left)).isTrue();
        assertThat(sessions.known(ended)).isFalse();
        accounts.changePassword(ann, "another long password");
        assertThat(sessions.known(left)).as("after a new password").isFalse();
    }

    @Test
    void aLinkThatTwoPeopleUseAtTheSameMomentWorksForOne() {
        Secret setup = accounts.setupLink();
        atTheNextWrite(() -> accounts.useSetupLink(setup, ANN, "the first password"));
        assertThat(accounts.useSetupLink(setup, new EmailAddress("eve@example.org"), "the second password"))
                .isEmpty();

        Secret invitation = accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("bob@example.org"), "test");
        atTheNextWrite(() -> accounts.useLink(invitation, "the first password"));
        assertThat(accounts.useLink(invitation, "the second password")).isEmpty();

        Secret reset = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        atTheNextWrite(() -> accounts.useLink(reset, "the first password"));
        assertThat(accounts.useLink(reset, "the second password")).isEmpty();

        assertThat(accounts.all())
                .hasSize(2)
                .allMatch(account -> passwords.matches("the first password", account.passwordHash()));
    }

    /** A stranger who knows the old password signs in while Ann sets a new one. */
    @Test
    void aPasswordThatWasCheckedBeforeANewOneCameChangesNothing() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        SignIn.Result.Success checked = (SignIn.Result.Success) signIn.confirm(ANN, RIGHT);
        Secret reset = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        atTheNextWrite(() -> accounts.useLink(reset, "the new password"));

        assertThat(accounts.changePassword(checked.account(), "the stranger's password"))
                .isEmpty();

        assertThat(accounts.all()).allMatch(account -> passwords.matches("the new password", account.passwordHash()));
    }

    @Test
    void theSessionOfALinkIsOverWithThePasswordThatTheLinkGave() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        Secret reset = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");

        Account byLink = accounts.useLink(reset, "the stranger's password").orElseThrow();
        accounts.changePassword(byLink, "the new password");

        assertThat(sessions.use(sessions.begin(byLink))).isEmpty();
    }

    /** While this process starts and sleeps, another one creates the account and Ann removes it. */
    @Test
    void anAdminOfTheSettingsWhoWasRemovedDuringAStartStaysRemoved() {
        EmailAddress first = new EmailAddress("first@example.org");
        boolean reached = true;
        for (int call = 1; reached; call++) {
            SimulatedStorage empty = new SimulatedStorage(time, 2);
            Accounts fresh = new Accounts(empty.storage(), passwords, new SeededIds(5), time);
            SleepAt sleeper = new SleepAt(call, () -> {
                fresh.addFirst(first, RIGHT);
                TestAccounts.add(fresh, ANN, RIGHT, "test");
                fresh.beginRemoval(first, ANN);
                fresh.finishRemoval(first);
            });
            empty.hook(sleeper);
            fresh.addFirst(first, RIGHT);
            empty.hook(CallHook.NONE);
            reached = sleeper.slept();
            assertThat(fresh.all())
                    .as("at call " + call)
                    .extracting(Account::email)
                    .containsExactly(reached ? ANN : first);
        }
    }

    private void atTheNextWrite(Runnable meanwhile) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind().changes()) {
                    storage.hook(CallHook.NONE);
                    meanwhile.run();
                }
            }
        });
    }

    @Test
    void aNewPasswordAndSigningOutEverywhereEndAllPasswordLinks() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        Secret used = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        Secret forgotten = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        Secret invitation = accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("bob@example.org"), "test");

        assertThat(accounts.useLink(used, "nine dry badgers")).isPresent();
        assertThat(accounts.openLink(forgotten)).isEmpty();
        assertThat(accounts.useLink(forgotten, "a stranger's password")).isEmpty();
        assertThat(accounts.openLinks()).hasSize(1);

        Secret stolen = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        assertThat(accounts.openLink(stolen)).isPresent();
        accounts.endSessions(ANN);
        assertThat(accounts.useLink(stolen, "a stranger's password")).isEmpty();
        assertThat(accounts.openLink(invitation)).isPresent();
        assertThat(passwords.matches(
                        "nine dry badgers", accounts.find(ANN).orElseThrow().passwordHash()))
                .isTrue();
    }

    @Test
    void sweepRemovesWhatIsOverAndNothingElse() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        Account ann = accounts.find(ANN).orElseThrow();
        accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
        Secret old = sessions.begin(ann);
        attempt("nobody@example.org", "guess", "192.0.2.1");
        time.advance(Duration.ofDays(7).plusHours(13));
        Secret young = sessions.begin(ann);
        Secret invitation = accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("bob@example.org"), "test");

        sessions.sweep();
        attempts.sweep(devices);
        accounts.sweep();

        assertThat(sessions.use(old)).isEmpty();
        assertThat(sessions.use(young)).isPresent();
        assertThat(accounts.openLink(invitation)).isPresent();
        assertThat(rows("session")).isEqualTo(1);
        assertThat(rows("signinattempt")).as("the salt alone").isEqualTo(1);
        assertThat(rows("account")).isEqualTo(2);
    }

    @Test
    void writesThatTheClientLibraryRepeatsAreRecognisedAsDone() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");

        for (int call = 1; call <= 8; call++) {
            Secret link = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");
            assertThat(repeating(call).useLink(link, "new password " + call))
                    .as("repeated call " + call)
                    .isPresent();
            assertThat(accounts.useLink(link, "once more, please")).isEmpty();

            EmailAddress guest = new EmailAddress("guest" + call + "@example.org");
            Secret invitation = accounts.link(OneTimeLink.Kind.INVITATION, guest, "test");
            assertThat(repeating(call).useLink(invitation, RIGHT))
                    .as("repeated call " + call)
                    .isPresent();
        }
        assertThat(passwords.matches(
                        "new password 8", accounts.find(ANN).orElseThrow().passwordHash()))
                .isTrue();
    }

    /** Returns accounts on a storage whose client library loses the answer of one call and repeats the call. */
    private Accounts repeating(int call) {
        Faults faults = new Faults(Faults.Mode.REPEATED, call, () -> {});
        return new Accounts(faults.around(storage.storage()), passwords, new SeededIds(10 + call), time);
    }

    @Test
    void nothingThatOpensADoorIsStoredInTheClear() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
        Secret session = sessions.begin(accounts.find(ANN).orElseThrow());
        Secret link = accounts.link(OneTimeLink.Kind.RESET, ANN, "test");

        String everything =
                Rows.all(storage.tables(), "account", KeyRange.everything()).toString()
                        + Rows.all(storage.tables(), "session", KeyRange.everything());

        assertThat(everything).doesNotContain(RIGHT, session.text(), link.text());
        assertThat(session.toString() + accounts.find(ANN)).doesNotContain(session.text());
    }

    private SignIn.Result attempt(String email, String password, String network) {
        return signIn.attempt(email, password, new SignIn.Visitor(network, Optional.empty()));
    }

    private int rows(String table) {
        return Rows.all(storage.tables(), table, KeyRange.everything()).size();
    }
}
