package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class SignInTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    Accounts accounts;

    @Autowired
    PasswordCheckLimiter limiter;

    @Autowired
    ManualTime time;

    @Test
    void rightPasswordOpensThePageThatWasWanted() throws Exception {
        TestBrowser browser = browsers.getObject().open("/account");
        assertThat(browser.address()).startsWith("/sign-in?next=");

        browser.submit("/sign-in", Map.of("email", "ann@example.org", "password", PageTestConfiguration.PASSWORD));

        assertThat(browser.address()).isEqualTo("/account");
        assertThat(browser.text()).contains("You are signed in as ann@example.org");
    }

    @Test
    void aWrongPasswordIsReportedAtTheField() throws Exception {
        TestBrowser browser = browsers.getObject().signIn("ann@example.org", "not this one at all");

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("email")).contains("email address or password is wrong");
        assertThat(browser.page().title()).startsWith("Error: ");
        assertThat(browser.body()).doesNotContain("not this one at all");
    }

    @Test
    void unknownAddressIsAnsweredLikeAWrongPassword() throws Exception {
        String known = browsers.getObject().signIn("ann@example.org", "wrong").errorAt("email");
        String unknown =
                browsers.getObject().signIn("nobody@example.org", "wrong").errorAt("email");

        assertThat(unknown).isEqualTo(known).isNotEmpty();
    }

    @Test
    void nextNeverLeadsToAnotherSite() {
        assertThat(new SignInPages.Form("", "", "//evil.example").target()).isEqualTo("/");
        assertThat(new SignInPages.Form("", "", "/\\evil.example").target()).isEqualTo("/");
        assertThat(new SignInPages.Form("", "", "https://evil.example").target())
                .isEqualTo("/");
        assertThat(new SignInPages.Form("", "", "/a\r\nX: y").target()).isEqualTo("/");
        assertThat(new SignInPages.Form("", "", "/subscribers?list=a").target()).isEqualTo("/subscribers?list=a");
        assertThat(new SignInPages.Form("", "", "/" + "a".repeat(2_000)).target())
                .as("an answer has no room for it")
                .isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/{x}", "/lists?list={list}", "/{", "/}{", "/${7*7}", "/a%7Bx%7D"})
    void nextIsTakenAsItIsWritten(String next) throws Exception {
        TestBrowser browser = browsers.getObject().open("/sign-in");
        String token = browser.page().select("[name=_csrf]").val();
        browser.postForged(
                "/sign-in",
                Map.of(
                        "_csrf",
                        token,
                        "email",
                        "ann@example.org",
                        "password",
                        PageTestConfiguration.PASSWORD,
                        "next",
                        next));
        assertThat(browser.header("Location")).isEqualTo(next);

        browser.openWithoutFollowing("/sign-in?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
        assertThat(browser.header("Location")).isEqualTo(next);
    }

    @Test
    void whileTooManySignInStrangersAreToldToComeBack() throws Exception {
        int atOnce = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        IntStream.range(0, atOnce).forEach(i -> limiter.begin(false));
        ExecutorService others = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < PasswordCheckLimiter.MAX_WAITING; i++) {
                others.execute(() -> {
                    limiter.begin(false);
                    limiter.end();
                });
            }
            await().until(() -> limiter.waiting() == PasswordCheckLimiter.MAX_WAITING);

            TestBrowser browser = browsers.getObject().signIn();

            assertThat(browser.status()).isEqualTo(503);
            assertThat(browser.header("Retry-After")).isEqualTo("10");
        } finally {
            IntStream.range(0, atOnce).forEach(i -> limiter.end());
            others.shutdown();
        }
    }

    @Test
    void signingInCreatesANewSecretDespiteAPlantedCookie() throws Exception {
        TestBrowser browser = browsers.getObject();
        browser.cookies().put("azuremail", new jakarta.servlet.http.Cookie("azuremail", "planted-by-a-stranger"));
        browser.open("/sign-in");
        String formTokenBefore = browser.cookies().get("azuremail-form").getValue();

        browser.submit("/sign-in", Map.of("email", "ann@example.org", "password", PageTestConfiguration.PASSWORD));

        assertThat(browser.cookies().get("azuremail").getValue())
                .isNotEqualTo("planted-by-a-stranger")
                .hasSize(43);
        assertThat(browser.cookies().get("azuremail-form").getValue()).isNotEqualTo(formTokenBefore);
        TestBrowser stranger = browsers.getObject();
        stranger.cookies().put("azuremail", new jakarta.servlet.http.Cookie("azuremail", "planted-by-a-stranger"));
        assertThat(stranger.open("/account").address()).startsWith("/sign-in");
    }

    @Test
    void signingOutEndsTheSessionNotOnlyTheCookie() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/account");
        TestBrowser copy = browsers.getObject();
        copy.cookies().putAll(browser.cookies());

        browser.submit("/sign-out", Map.of());

        assertThat(browser.text()).contains("You are signed out");
        assertThat(copy.open("/account").address()).startsWith("/sign-in");
    }

    @Test
    void signingOutEverywhereEndsAllSessions() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("eve@example.org"), "nine dry badgers", "test");
        TestBrowser phone = browsers.getObject().signIn("eve@example.org", "nine dry badgers");
        TestBrowser desk = browsers.getObject().signIn("eve@example.org", "nine dry badgers");

        desk.open("/account").submit("/account/sign-out-everywhere", Map.of());

        assertThat(phone.open("/account").address()).startsWith("/sign-in");
        assertThat(desk.open("/account").address()).startsWith("/sign-in");
    }

    @Test
    void changingThePasswordEndsTheOtherSessions() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("kim@example.org"), "nine dry badgers", "test");
        TestBrowser phone = browsers.getObject().signIn("kim@example.org", "nine dry badgers");
        TestBrowser desk = browsers.getObject().signIn("kim@example.org", "nine dry badgers");

        desk.open("/account")
                .submit(
                        "/account/password",
                        Map.of(
                                "current", "nine dry badgers",
                                "password", "eleven odd geese",
                                "repeated", "eleven odd geese"));

        assertThat(desk.text()).contains("Your password is changed");
        assertThat(desk.open("/account").address()).isEqualTo("/account");
        assertThat(phone.open("/account").address()).startsWith("/sign-in");
        assertThat(browsers.getObject()
                        .signIn("kim@example.org", "nine dry badgers")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void whoeverDoesNotKnowTheCurrentPasswordDoesNotChangeIt() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("ned@example.org"), "nine dry badgers", "test");
        TestBrowser stranger = browsers.getObject().signIn("ned@example.org", "nine dry badgers");

        stranger.open("/account")
                .submit(
                        "/account/password",
                        Map.of("current", "guess", "password", "eleven odd geese", "repeated", "eleven odd geese"));

        assertThat(stranger.status()).isEqualTo(422);
        assertThat(browsers.getObject()
                        .signIn("ned@example.org", "nine dry badgers")
                        .status())
                .isNotEqualTo(422);
    }

    @Test
    void removedAccountIsSignedOutAtOnce() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("lee@example.org"), "nine dry badgers", "test");
        TestBrowser lee = browsers.getObject().signIn("lee@example.org", "nine dry badgers");
        TestBrowser ann = browsers.getObject().signIn();

        ann.open("/accounts/remove?email=lee@example.org").submit("/accounts/remove", Map.of());

        assertThat(ann.text()).contains("The account is removed");
        assertThat(lee.open("/account").address()).startsWith("/sign-in");
    }

    @Test
    void sessionEndsAfterHoursWithoutUseAndAfterAWeekInAnyCase() throws Exception {
        TestBrowser idle = browsers.getObject().signIn();
        TestBrowser busy = browsers.getObject().signIn();
        time.advance(Duration.ofHours(11));
        assertThat(busy.open("/account").address()).isEqualTo("/account");
        time.advance(Duration.ofHours(2));
        assertThat(idle.open("/account").address()).startsWith("/sign-in");
        for (int i = 0; i < 15; i++) {
            assertThat(busy.open("/account").address()).isEqualTo("/account");
            time.advance(Duration.ofHours(11));
        }
        assertThat(busy.open("/account").address()).startsWith("/sign-in");
    }

    @Test
    void guessingIsSlowedDownMoreWithEachFailure() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("max@example.org"), "nine dry badgers", "test");
        for (int i = 0; i < 5; i++) {
            assertThat(guess("max@example.org")).contains("email address or password is wrong");
        }
        assertThat(guess("max@example.org")).contains("Wait 3 seconds");
        assertThat(browsers.getObject()
                        .signIn("max@example.org", "nine dry badgers")
                        .errorAt("email"))
                .contains("Too many attempts");

        time.advance(Duration.ofSeconds(3));
        assertThat(guess("max@example.org")).contains("email address or password is wrong");
        assertThat(guess("max@example.org")).contains("Wait 5 seconds");

        time.advance(Duration.ofMinutes(15));
        assertThat(browsers.getObject()
                        .signIn("max@example.org", "nine dry badgers")
                        .address())
                .isEqualTo("/");
    }

    @Test
    void afterTheWaitThatThePageNamesTheNextAttemptIsChecked() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("moe@example.org"), "nine dry badgers", "test");
        for (int i = 0; i < 11; i++) {
            assertThat(guess("moe@example.org")).contains("email address or password is wrong");
            time.advance(Duration.ofSeconds(i < 4 ? 0 : i < 10 ? 65 : 1));
        }

        assertThat(guess("moe@example.org")).contains("Wait 3 minutes");
        time.advance(Duration.ofMinutes(3));
        assertThat(guess("moe@example.org")).contains("email address or password is wrong");
    }

    @Test
    void strangersGuessesDoNotLockTheOwnersOwnDeviceOut() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("ida@example.org"), "nine dry badgers", "test");
        TestBrowser own = browsers.getObject().signIn("ida@example.org", "nine dry badgers");
        own.submit("/sign-out", Map.of());
        for (int i = 0; i < 10; i++) {
            guess("ida@example.org");
        }
        assertThat(browsers.getObject()
                        .signIn("ida@example.org", "nine dry badgers")
                        .errorAt("email"))
                .contains("Too many attempts", "on which you signed in before");

        own.signIn("ida@example.org", "nine dry badgers");

        assertThat(own.address()).isEqualTo("/");
    }

    @Test
    void aDeviceIsNoLongerKnownAfterANewPassword() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("jan@example.org"), "nine dry badgers", "test");
        TestBrowser lost = browsers.getObject().signIn("jan@example.org", "nine dry badgers");
        String before = lost.cookies().get("azuremail-device").getValue();
        lost.submit("/sign-out", Map.of());

        accounts.changePassword(
                accounts.find(new EmailAddress("jan@example.org")).orElseThrow(), "eleven odd geese");

        for (int i = 0; i < 5; i++) {
            assertThat(lost.signIn("jan@example.org", "nine dry badgers").errorAt("email"))
                    .contains("email address or password is wrong");
        }
        assertThat(lost.signIn("jan@example.org", "eleven odd geese").errorAt("email"))
                .contains("Too many attempts");
        assertThat(lost.cookies().get("azuremail-device").getValue()).isEqualTo(before);
        time.advance(Duration.ofMinutes(16));
        lost.signIn("jan@example.org", "eleven odd geese");
        assertThat(lost.cookies().get("azuremail-device").getValue()).isNotEqualTo(before);
    }

    @Test
    void theSecretOfADeviceIsANewOneAtEachSignIn() throws Exception {
        TestBrowser browser = browsers.getObject();
        browser.cookies()
                .put("azuremail-device", new jakarta.servlet.http.Cookie("azuremail-device", "planted-by-a-stranger"));

        browser.signIn("ann@example.org", PageTestConfiguration.PASSWORD);

        jakarta.servlet.http.Cookie device = browser.cookies().get("azuremail-device");
        assertThat(device.getValue()).isNotEqualTo("planted-by-a-stranger").hasSize(43);
        assertThat(device.isHttpOnly()).isTrue();
        assertThat(device.getMaxAge()).isEqualTo((int) Duration.ofDays(365).toSeconds());
        TestBrowser thief = browsers.getObject();
        thief.cookies().put("azuremail-device", device);
        assertThat(thief.open("/account").address()).startsWith("/sign-in");
    }

    private String guess(String email) throws Exception {
        return browsers.getObject().signIn(email, "is it this one?").errorAt("email");
    }
}
