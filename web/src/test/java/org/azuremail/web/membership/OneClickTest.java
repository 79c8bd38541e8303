package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;
import org.azuremail.web.connector.Caller;
import org.azuremail.web.security.OpenPort;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Sends the requests of RFC 8058 as mail programs do, to a real port. */
@OpenPort
class OneClickTest {

    private static final ListName LIST = new ListName("clickers");
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final String PART = "Content-Disposition: form-data; name=\"List-Unsubscribe\"\r\n";
    private static int people;

    @LocalServerPort
    int port;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    SubscriptionStore store;

    @Autowired
    Time time;

    private EmailAddress reader;

    @BeforeEach
    void somebodyIsOnTheList() {
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        lists.create(MailingList.of(LIST, "Clickers", from, OptIn.DOUBLE, time.instant()));
        reader = new EmailAddress("reader" + ++people + "@contoso.edu");
        subscriptions.adminAdd(LIST, reader, Profile.NONE, true, Origin.admin("test"));
    }

    /** Returns the headers and bodies of one-click requests. */
    static Stream<Map.Entry<String, String>> oneClicks() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("as the RFC shows it", with(FORM, "List-Unsubscribe=One-Click"));
        all.put("with a line end", with(FORM, "List-Unsubscribe=One-Click\r\n"));
        all.put("with a line feed", with(FORM, "List-Unsubscribe=One-Click\n"));
        all.put("in small letters", with(FORM, "list-unsubscribe=one-click"));
        all.put("escaped", with(FORM, "List%2DUnsubscribe=One%2DClick"));
        all.put("beside others", with(FORM, "a=b&List-Unsubscribe=One-Click&c"));
        all.put("with a charset", with(type("application/x-www-form-urlencoded; charset=UTF-8")));
        all.put("with a strange charset", with(type("application/x-www-form-urlencoded; charset=klingon")));
        all.put("its type in capitals", with(type("Application/X-WWW-Form-URLencoded")));
        all.put("without a type", with("", "List-Unsubscribe=One-Click"));
        all.put("without a type, with a line end", with("", "List-Unsubscribe=One-Click\r\n"));
        all.put("as text", with(type("text/plain; charset=us-ascii")));
        all.put("as bytes", with(type("application/octet-stream")));
        all.put("as nonsense", with(type("one/two/three;;=")));
        all.put("as multipart", multipart("b", "--b\r\n" + PART + "\r\nOne-Click\r\n--b--\r\n"));
        all.put(
                "as multipart of types",
                multipart(
                        "b",
                        "--b\r\n" + PART + "Content-Type: text/plain; charset=utf-8\r\n\r\nOne-Click\r\n--b--\r\n"));
        all.put("as multipart without its last line end", multipart("b", "--b\r\n" + PART + "\r\nOne-Click\r\n--b--"));
        all.put("as multipart without its end", multipart("b", "--b\r\n" + PART + "\r\nOne-Click\r\n"));
        all.put("as multipart of another boundary", multipart("c", "--b\r\n" + PART + "\r\nOne-Click\r\n--b--\r\n"));
        all.put("as multipart without a boundary", with(type("multipart/form-data")));
        all.put(
                "in chunks",
                "Transfer-Encoding: chunked\r\n" + FORM + "\r\n10\r\nList-Unsubscribe\r\na\r\n=One-Click\r\n0\r\n\r\n");
        all.put(
                "in chunks without a type",
                "Transfer-Encoding: chunked\r\n\r\n1a\r\nList-Unsubscribe=One-Click\r\n0\r\n\r\n");
        return all.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("oneClicks")
    void everyFormOfAOneClickRequestLeavesAtOnceWithoutARedirect(Map.Entry<String, String> form) throws IOException {
        String answer = answer("POST", "", form.getValue());

        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("Unsubscribed.").contains("Content-Security-Policy");
        assertThat(answer.toLowerCase(java.util.Locale.ROOT)).doesNotContain("location:", "set-cookie");
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "List-Unsubscribe=", "One-Click", "One-Click=List-Unsubscribe", "answer=maybe", "%"})
    void aBodyThatIsNoOneClickRequestChangesNothing(String body) throws IOException {
        for (String type : new String[] {FORM, "", type("text/plain"), type("multipart/form-data; boundary=b")}) {
            assertThat(answer("POST", "", with(type, body))).as(type).startsWith("HTTP/1.1 400");
        }
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void i5_noOtherMethodLeavesWhateverItsBody(String method) throws IOException {
        answer(method, "&List-Unsubscribe=One-Click", with(FORM, "List-Unsubscribe=One-Click"));

        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void theWordsBehindEightKilobytesAreNotLookedFor() throws IOException {
        answer("POST", "", with(type("text/plain"), "x".repeat(9000) + "List-Unsubscribe=One-Click"));

        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void noOtherFormIsAcceptedWithoutItsToken() throws IOException {
        String body = multipart("b", "--b\r\n" + PART + "\r\nOne-Click\r\n--b--\r\n");
        try (Caller caller = new Caller(port)) {
            assertThat(caller.send("POST /sign-in HTTP/1.1\r\nHost: x\r\n" + body)
                            .answer())
                    .startsWith("HTTP/1.1 403");
        }
    }

    private static String type(String type) {
        return "Content-Type: " + type + "\r\n";
    }

    private static String with(String type) {
        return with(type, "List-Unsubscribe=One-Click");
    }

    private static String with(String type, String body) {
        return type + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String multipart(String boundary, String body) {
        return with(type("multipart/form-data; boundary=" + boundary), body);
    }

    private String answer(String method, String more, String rest) throws IOException {
        String link = "/unsubscribe?id=" + subscriber().guid() + "&listName=" + LIST + more;
        try (Caller caller = new Caller(port)) {
            return caller.send(method + " " + link + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + rest)
                    .answer();
        }
    }

    private SubscriberState state() {
        return subscriber().state();
    }

    private Subscriber subscriber() {
        return store.find(lists.findActive(LIST).orElseThrow(), reader)
                .orElseThrow()
                .value();
    }
}
