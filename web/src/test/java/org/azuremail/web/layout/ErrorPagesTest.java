package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.ModelAndView;

@PageTest
@ExtendWith(OutputCaptureExtension.class)
class ErrorPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ListStore lists;

    @Autowired
    ManualTime time;

    @Autowired
    ErrorPages pages;

    @Autowired
    PageFrame frame;

    @AfterEach
    void storageIsWellAgain() {
        RequestContextHolder.resetRequestAttributes();
        storage.hook(CallHook.NONE);
    }

    @Test
    void aCallersMistakeIsNoEventOfTheService(CapturedOutput output) throws Exception {
        browser.signIn();

        assertThat(browser.open("/messages/1/pause").status()).isEqualTo(405);
        assertThat(browser.open("/subscribers/details").status()).isEqualTo(400);
        assertThat(browser.open("/nowhere").status()).isEqualTo(404);

        assertThat(output).doesNotContain("Resolved [");
    }

    @Test
    void aMissingPageStillHasTheMenuAndAWayBack() throws Exception {
        browser.signIn();
        for (String gone :
                List.of("/subscribers/details?list=nope&email=a@example.org", "/lists/nope", "/messages/none")) {
            browser.open(gone);

            assertThat(browser.status()).as(gone).isEqualTo(404);
            assertThat(browser.page().select("nav a[href=/subscribers]"))
                    .as(gone)
                    .isNotEmpty();
            assertThat(browser.page().select("main a[href=/]")).as(gone).hasSize(1);
            assertThat(browser.page().select(".foot").text())
                    .as(gone)
                    .matches("© \\d{4} – AzureMail · Times are in .+");
        }
    }

    @Test
    void storageThatDoesNotAnswerIsAPageOfItsOwn() throws Exception {
        browser.signIn();
        failing("mailinglist");

        browser.open("/lists");

        assertThat(browser.status()).isEqualTo(503);
        assertThat(browser.text()).contains("Timeout error, try again.");
    }

    @ParameterizedTest
    @CsvSource({
        "TIMED_OUT, Timeout error, 10",
        "UNAVAILABLE, Timeout error, 10",
        "THROTTLED, Timeout error, 10",
        "DENIED, The storage denies access, null",
        "MISSING, The storage failed, null",
        "UNKNOWN, The storage failed, null",
        "CORRUPT, The storage failed, null"
    })
    void aPageSaysWhatIsWrongWithTheStorage(StorageException.Reason reason, String title, String retryAfter)
            throws Exception {
        browser.signIn();

        failing("mailinglist", reason);
        assertThat(browser.open("/lists").status()).isEqualTo(503);
        assertThat(browser.page().select("h1").text()).startsWith(title);
        assertThat(browser.header("Retry-After")).as("waiting helps").isEqualTo(retryAfter);
    }

    @ParameterizedTest
    @CsvSource({"TIMED_OUT, storage, 10", "DENIED, storage-denied,", "CORRUPT, storage-failed,"})
    void aPageSaysThatAlsoBeforeTheServiceKnowsWhoAsks(
            StorageException.Reason reason, String problem, @Nullable String retryAfter) {
        StorageException away = new StorageException(reason, "session", null);
        MockHttpServletRequest request = new MockHttpServletRequest() {
            @Override
            public Principal getUserPrincipal() {
                throw away;
            }
        };
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, new ServletException(away));
        time.advance(Duration.ofHours(1));
        List<Call> asked = new ArrayList<>();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                asked.add(call);
            }
        });

        MockHttpServletResponse answer = new MockHttpServletResponse();
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request, answer));

        ModelAndView page = pages.resolveErrorView(request, HttpStatus.INTERNAL_SERVER_ERROR, Map.of());
        frame.postHandle(request, answer, pages, page);

        assertThat(page.getStatus()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(answer.getHeader("Retry-After")).isEqualTo(retryAfter);
        assertThat(page.getModel())
                .containsEntry("problem", problem)
                .containsEntry("me", null)
                .doesNotContainKey("menuCounts");
        assertThat(asked)
                .as("calls to a storage that may not answer for 20 s each")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"apikey", "mailinglist"})
    void aCallIsToldThatTheStorageDeniesAccess(String table) throws Exception {
        failing(table, StorageException.Reason.DENIED);

        MockHttpServletResponse answer = callForLists();

        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getContentAsString()).contains("denies");
    }

    @Test
    void e22_aPageWhileSessionsAreOutOfReachAsksTheVisitorToComeAgain() throws Exception {
        browser.signIn();
        failing("session");

        browser.open("/lists");

        assertThat(browser.status()).isEqualTo(503);
    }

    /** A load balancer or a browser may send a cookie with its request. */
    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/readiness", "/actuator/health/liveness"})
    void healthLooksAtNoSession(String address) throws Exception {
        browser.signIn();
        failing("session");

        assertThat(browser.open(address).status()).isEqualTo(200);
        assertThat(browser.body()).contains("UP");
    }

    private MockHttpServletResponse callForLists() throws Exception {
        return mvc.perform(get("/api/v1/lists").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andReturn()
                .getResponse();
    }

    @Test
    void aCallThatMeetsAStorageOutOfReachIsAskedToRetry() throws Exception {
        failing("mailinglist");

        MockHttpServletResponse answer = callForLists();

        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getHeader("Retry-After")).isEqualTo("10");
    }

    @Test
    void e22_aCallWhileKeysAreOutOfReachIsAskedToRetry() throws Exception {
        failing("apikey");

        MockHttpServletResponse answer = callForLists();

        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getContentType()).isEqualTo("application/problem+json");
        assertThat(answer.getHeader("Retry-After")).isNotNull();
    }

    private void failing(String table) {
        failing(table, StorageException.Reason.TIMED_OUT);
    }

    private void failing(String table, StorageException.Reason reason) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals(table)) {
                    throw new StorageException(reason, "no answer", null);
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "/subscribers/import?list=people, /subscribers/import, file",
        "/messages/new, /messages/7/edit, htmlFile",
        "/messages/new, /messages/7/edit, textFile"
    })
    void textWhereAFormTakesAFileIsRefusedWithTheFieldsName(String page, String action, String field) throws Exception {
        lists.create(MailingList.of(
                new ListName("people"),
                "People",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        String token =
                browser.signIn().open(page).page().select("input[name=_csrf]").attr("value");

        browser.postForged(action, Map.of("_csrf", token, "list", "people", field, "just text"));

        assertThat(browser.status()).isEqualTo(400);
        assertThat(browser.text()).contains("The field “" + field + "” takes a file, and text was sent instead");
    }

    @ParameterizedTest
    @CsvSource({
        "/keys/new, lists[99999]",
        "/keys/new, lists[a]",
        "/segments, what[2147483648]",
        "/messages/new/edit, also[7]"
    })
    void aPlaceInAListOfAFormIsRefused(String action, String field) throws Exception {
        String token = browser.signIn()
                .open("/account")
                .page()
                .select("input[name=_csrf]")
                .attr("value");

        browser.postForged(action, Map.of("_csrf", token, field, "x"));

        assertThat(browser.status()).isEqualTo(400);
    }
}
