package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.account.SignIn.Result;
import org.azuremail.web.account.SignIn.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks how the guessing of passwords is slowed down, for strangers and for known devices. */
class SignInThrottleTest {

    private static final EmailAddress ANN = new EmailAddress("ann.lee@example.org");
    private static final String RIGHT = "seven wet otters";

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 2);
    private final Passwords passwords = new Passwords(4);
    private final Accounts accounts = new Accounts(storage.storage(), passwords, new SeededIds(1), time);
    private final KnownDevices devices = new KnownDevices(storage.storage(), new SeededIds(2), time);
    private final PasswordCheckLimiter limiter = new PasswordCheckLimiter(1);
    private final SignIn signIn = instance(3);

    @BeforeEach
    void annHasAnAccount() {
        TestAccounts.add(accounts, ANN, RIGHT, "test");
    }

    @Test
    void everySpellingOfAnAccountCountsAsTheSame() {
        List<String> spellings = spellings("ann.lee@example.org");
        assertThat(spellings).hasSizeGreaterThan(46);

        long looked = spellings.stream()
                .filter(spelling -> stranger(spelling, "guess", "192.0.2.1") instanceof Result.BadCredentials)
                .count();

        assertThat(looked).as("guesses whose password was looked at").isEqualTo(5);
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1")).isInstanceOf(Result.Throttled.class);
    }

    @Test
    void everySpellingThatReachesTheAccountIsCountedForIt() {
        for (String spelling : spellings("ann.lee@example.org")) {
            assertThat(EmailAddress.parse(spelling).flatMap(accounts::find))
                    .as(spelling)
                    .isPresent();
        }
    }

    @Test
    void accountsThatDoNotExistAreSlowedDownAlike() {
        assertThat(answers("nobody@example.org", "192.0.2.1")).isEqualTo(answers(ANN.value(), "192.0.2.2"));
    }

    @Test
    void accountsThatDoNotExistCostTheSameStorageCalls() {
        assertThat(calls("nobody@example.org")).isEqualTo(calls(ANN.value()));
    }

    @Test
    void strangersDoNotSlowTheOwnerDownInAnotherNetwork() {
        for (int i = 0; i < 10; i++) {
            stranger(ANN.value(), "guess", "192.0.2.1");
        }

        assertThat(stranger(ANN.value(), RIGHT, "198.51.100.7")).isInstanceOf(Result.Success.class);
    }

    @Test
    void attemptsBeyondTheQueueAreToldToComeBackAndNotCounted() {
        limiter.begin(false);
        ExecutorService strangers = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < PasswordCheckLimiter.MAX_WAITING; i++) {
                strangers.execute(() -> stranger("eve@example.org", "guess", "203.0.113.9"));
            }
            await().until(() -> limiter.waiting() == PasswordCheckLimiter.MAX_WAITING);

            for (int i = 0; i < 200; i++) {
                assertThat(stranger(ANN.value(), RIGHT, "2001:db8:1:" + Integer.toHexString(i) + "::1"))
                        .isInstanceOf(Result.Busy.class);
            }
        } finally {
            limiter.end();
            strangers.shutdown();
        }
        await().until(() -> limiter.waiting() == 0);
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1")).isInstanceOf(Result.Success.class);
    }

    @Test
    void theOwnerOfAKnownDeviceWaitsInAQueueOfTheirOwn() throws Exception {
        Visitor known = new Visitor("192.0.2.1", Optional.of(devices.remember(account(), Optional.empty())));
        limiter.begin(false);
        ExecutorService visitors = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < PasswordCheckLimiter.MAX_WAITING; i++) {
                visitors.execute(() -> stranger("eve@example.org", "guess", "203.0.113.9"));
            }
            await().until(() -> limiter.waiting() == PasswordCheckLimiter.MAX_WAITING);
            Future<Result> owner = visitors.submit(() -> signIn.attempt(ANN.value(), RIGHT, known));
            await().until(() -> owner.isDone() || limiter.waiting() > PasswordCheckLimiter.MAX_WAITING);
            limiter.end();

            assertThat(owner.get()).isInstanceOf(Result.Success.class);
        } finally {
            visitors.shutdown();
        }
    }

    @Test
    void guessesWhileTheClockWasADayAheadDoNotLockTheOwnerOutForADay() {
        time.shiftWallClock(Duration.ofDays(1));
        for (int i = 0; i < 6; i++) {
            stranger(ANN.value(), "guess", "192.0.2.1");
        }
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1")).isInstanceOf(Result.Throttled.class);

        time.shiftWallClock(Duration.ofDays(-1));

        assertThat(stranger(ANN.value(), "guess", "192.0.2.1")).isInstanceOf(Result.BadCredentials.class);
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1"))
                .as("the guesses still count")
                .isInstanceOf(Result.Throttled.class);
        time.advance(Duration.ofMinutes(15));
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1")).isInstanceOf(Result.Success.class);
    }

    @Test
    void guessesFromManyNetworksAreSlowedDownForTheAccount() {
        long looked = IntStream.range(0, 1000)
                .filter(i -> stranger(ANN.value(), "guess", "2001:db8:1:" + Integer.toHexString(i) + "::1")
                        instanceof Result.BadCredentials)
                .count();

        assertThat(looked).isEqualTo(100);
    }

    @Test
    void theOwnerOfAKnownDeviceWaitsForNoStranger() {
        Secret device = devices.remember(account(), Optional.empty());
        for (int i = 0; i < 500; i++) {
            stranger(ANN.value(), "guess", "2001:db8:1:" + Integer.toHexString(i) + "::1");
            stranger(ANN.value(), "guess", "192.0.2.1");
        }

        assertThat(signIn.attempt("ANN.LEE@example.org", RIGHT, new Visitor("192.0.2.1", Optional.of(device))))
                .isInstanceOf(Result.Success.class);
    }

    @Test
    void guessesFromAKnownDeviceHaveACountOfTheirOwn() {
        Visitor known = new Visitor("192.0.2.1", Optional.of(devices.remember(account(), Optional.empty())));
        for (int i = 0; i < 10; i++) {
            assertThat(signIn.attempt(ANN.value(), "guess", known)).isInstanceOf(Result.BadCredentials.class);
        }

        assertThat(signIn.attempt(ANN.value(), RIGHT, known)).isInstanceOf(Result.Throttled.class);
        assertThat(stranger(ANN.value(), RIGHT, "192.0.2.1")).isInstanceOf(Result.Success.class);
    }

    @Test
    void aDeviceOfOneAccountIsAStrangersForAnother() {
        TestAccounts.add(accounts, new EmailAddress("bob@example.org"), "nine dry badgers", "test");
        Secret bobs = devices.remember(
                accounts.find(new EmailAddress("bob@example.org")).orElseThrow(), Optional.empty());
        Visitor bob = new Visitor("192.0.2.1", Optional.of(bobs));

        long looked = IntStream.range(0, 10)
                .filter(i -> signIn.attempt(ANN.value(), "guess", bob) instanceof Result.BadCredentials)
                .count();

        assertThat(looked).isEqualTo(5);
    }

    @Test
    void allWebProcessesShareTheCount() {
        SignIn other = instance(9);
        for (int i = 0; i < 5; i++) {
            SignIn one = i % 2 == 0 ? signIn : other;
            one.attempt(ANN.value(), "guess", new Visitor("192.0.2.1", Optional.empty()));
        }

        assertThat(other.attempt(ANN.value(), RIGHT, new Visitor("192.0.2.1", Optional.empty())))
                .isInstanceOf(Result.Throttled.class);
    }

    @Test
    void strangersCannotFillTheStorage() {
        for (int i = 0; i < 300; i++) {
            stranger("user" + i + "@example.org", "guess", "2001:db8:2:" + Integer.toHexString(i) + "::1");
        }

        assertThat(subjects()).hasSizeGreaterThan(800).allSatisfy(row -> assertThat(row.rowKey())
                .matches("salt|(network|stranger|account):[0-9a-f]{4}"));
    }

    @Test
    void aSignedInAdminConfirmsThePasswordDespiteStrangersGuesses() {
        for (int i = 0; i < 500; i++) {
            stranger(ANN.value(), "guess", "2001:db8:1:" + Integer.toHexString(i) + "::1");
        }

        assertThat(signIn.confirm(ANN, RIGHT)).isInstanceOf(Result.Success.class);
        for (int i = 0; i < 5; i++) {
            assertThat(signIn.confirm(ANN, "guess")).isInstanceOf(Result.BadCredentials.class);
        }
        assertThat(signIn.confirm(ANN, RIGHT)).isInstanceOf(Result.Throttled.class);
    }

    private SignIn instance(long seed) {
        return new SignIn(
                accounts,
                passwords,
                devices,
                new SignInAttempts(storage.storage(), new SeededIds(seed), time),
                limiter);
    }

    private Result stranger(String email, String password, String network) {
        return signIn.attempt(email, password, new Visitor(network, Optional.empty()));
    }

    private List<Class<?>> answers(String email, String network) {
        List<Class<?>> answers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            answers.add(stranger(email, "guess", network).getClass());
        }
        return answers;
    }

    /** Returns the storage calls for a stranger who claims to have a known device. */
    private List<String> calls(String email) {
        List<String> calls = new ArrayList<>();
        signIn.attempt("warm@example.org", "guess", new Visitor("192.0.2.99", Optional.of(new Secret("forged"))));
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                calls.add(call.kind() + " " + call.place());
            }
        });
        signIn.attempt(email, "guess", new Visitor("192.0.2.98", Optional.of(new Secret("forged"))));
        storage.hook(CallHook.NONE);
        return calls;
    }

    private Account account() {
        return accounts.find(ANN).orElseThrow();
    }

    private List<Row> subjects() {
        return Rows.all(
                storage.tables(), "signinattempt", KeyRange.partitions("subjects", KeyRange.afterPrefix("subjects")));
    }

    /**
     * Returns spellings of an address: in upper and lower case, surrounded by white space, and with the domain in other
     * Unicode forms.
     */
    private static List<String> spellings(String address) {
        List<String> spellings = new ArrayList<>();
        for (int bits = 0; bits < 40; bits++) {
            StringBuilder typed = new StringBuilder();
            for (int i = 0; i < address.length(); i++) {
                char letter = address.charAt(i);
                typed.append((bits >> (i % 6) & 1) == 1 ? Character.toUpperCase(letter) : letter);
            }
            spellings.add(typed.toString());
        }
        for (String blank : List.of(" ", "\t", "\u2003", "\n", "\u3000", "\r\n ")) {
            spellings.add(blank + address);
            spellings.add(address + blank);
        }
        spellings.add("ann.lee@\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.org");
        spellings.add("ann.lee@example\u3002org");
        spellings.add("ann.lee@\u24d4xample.org");
        return spellings;
    }
}
