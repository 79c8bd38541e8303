package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.servlet.FlashMap;
import tools.jackson.databind.json.JsonMapper;

@PageTest
class NoticeTest {

    private static final String COOKIE = "azuremail-notice";

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    MockMvc mvc;

    @Autowired
    JsonMapper json;

    @Test
    void resultIsShownOnceAndNotInTheAddress() throws Exception {
        TestBrowser browser = browsers.getObject().signIn();
        browser.open("/lists/new")
                .submit(
                        "/lists/new",
                        Map.of("name", "noticed", "description", "", "fromEmail", "a@example.org", "optIn", "single"));

        assertThat(browser.address()).isEqualTo("/lists/noticed");
        assertThat(browser.page().select("#notice.done[role=status]").text()).startsWith("The list is created.");
        assertThat(browser.open("/lists/noticed").page().select("#notice")).isEmpty();
    }

    @Test
    void failureIsNeitherGreenNorQuiet() throws Exception {
        Cookie cookie = carried(Notice.problem("own-account"), "/sign-in", false);
        String page = mvc.perform(get("/sign-in").cookie(cookie))
                .andReturn()
                .getResponse()
                .getContentAsString();

        assertThat(Jsoup.parse(page).select("#notice.problem[role=alert]").text())
                .startsWith("You cannot remove your own");
    }

    @Test
    void addressOfAPageCannotPutWordsIntoOurMouth() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/lists?notice=samples-loaded");
        assertThat(browser.page().select("#notice")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "bnVsbA", "e30", "eyJub3RpY2UiOiAzfQ", "W10"})
    void cookieThatIsNotOursShowsNothing(String value) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/lists");
        request.setCookies(new Cookie(COOKIE, value));

        FlashMap found = new NoticeCookie(json, false).retrieveAndUpdate(request, new MockHttpServletResponse());
        assertThat((Object) found).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"'code':'signed-out','values':[]", "'kind':'DONE','values':[]", "'kind':null,'code':'x'"})
    void noticeWithMissingPartsShowsNothing(String parts) {
        String forged = "{'path':null,'expires':9999999999999,'notice':{" + parts + "}}";

        cookieThatIsNotOursShowsNothing(
                Base64.getUrlEncoder().encodeToString(forged.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void noticeWithTheLongestValuesFitsIntoACookie() {
        String long998 = "\ud83d\ude00".repeat(499);

        Cookie cookie = carried(Notice.done("message-saved", long998, 7L), "/messages/1", true);

        assertThat(cookie.getName()).startsWith("__Host-");
        assertThat(cookie.getValue()).hasSizeLessThan(3500);
        assertThat(cookie.isHttpOnly() && cookie.getSecure()).isTrue();
        assertThat(new String(Base64.getUrlDecoder().decode(cookie.getValue()), StandardCharsets.UTF_8))
                .contains("message-saved", "\ud83d\ude00");
    }

    private Cookie carried(Notice notice, String path, boolean https) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        FlashMap map = new FlashMap();
        map.put(Notice.ATTRIBUTE, notice);
        map.setTargetRequestPath(path);
        map.setExpirationTime(Long.MAX_VALUE);
        new NoticeCookie(json, https).updateFlashMaps(List.of(map), new MockHttpServletRequest(), response);
        return response.getCookies()[0];
    }
}
