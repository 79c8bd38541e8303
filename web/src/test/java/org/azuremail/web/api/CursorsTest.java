package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.eventlog.Event;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that each listing accepts its own cursors and limits, and no others. */
@PageTest
class CursorsTest {

    private static final String ONE = "/api/v1/lists/cursors_one/subscriptions";

    private static final String OTHER = "/api/v1/lists/cursors_two/subscriptions";

    @Autowired
    MockMvc mvc;

    @Autowired
    EventLog events;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void aCursorOfAnotherListingIsRefused() throws Exception {
        Map<String, String> cursors = cursors();
        for (String listing : listings()) {
            for (Map.Entry<String, String> cursor : cursors.entrySet()) {
                assertThat(status(listing, "cursor", cursor.getValue()))
                        .as("%s with a cursor of %s", listing, cursor.getKey())
                        .isEqualTo(cursor.getKey().equals(listing) ? 200 : 400);
            }
        }
    }

    @Test
    void aCursorOfNobodysIsRefused() throws Exception {
        cursors();
        String own = api.get(ONE + "?limit=1").json("$.cursor");
        for (String listing : listings()) {
            for (String cursor : List.of(
                    "", "nonsense", "YQ", "a b", "\u0000", "1", "0.", ".", own.substring(0, 5), own + "!", "🦜")) {
                assertRefused(listing, "cursor", cursor);
            }
        }
    }

    private void assertRefused(String listing, String field, String value) throws Exception {
        assertThat(status(listing, field, value))
                .as("%s with the %s '%s'", listing, field, value)
                .isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly(field);
    }

    @Test
    void aCursorThatOnlyBeginsLikeOneOfTheListingBreaksNothing() throws Exception {
        for (Map.Entry<String, String> known : cursors().entrySet()) {
            String name = known.getValue().substring(0, known.getValue().indexOf('-') + 1);
            for (String rest : List.of("", "x", "YQ", "a b", "1.", "sent:", "sent:a b", "\u0000")) {
                assertThat(status(known.getKey(), "cursor", name + rest))
                        .as("%s with '%s'", known.getKey(), rest)
                        .isIn(200, 400);
            }
        }
    }

    @Test
    void aCursorOfOtherBeginningsIsRefused() throws Exception {
        cursors();
        for (String listing :
                List.of("/api/v1/suppressions?begins=", "/api/v1/subscriptions?prefix=", ONE + "?prefix=")) {
            String cursor = api.get(listing + "cursor1&limit=1").json("$.cursor");
            assertThat(api.get(listing + "CURSOR1&limit=1&cursor=" + cursor).status())
                    .as(listing)
                    .isEqualTo(200);
            assertThat(api.get(listing + "cursor2&limit=1&cursor=" + cursor).status())
                    .as(listing)
                    .isEqualTo(400);
        }
    }

    @Test
    void aListTakesItsCursorHoweverItsNameIsTyped() throws Exception {
        cursors();
        String cursor = api.get(ONE + "?limit=1").json("$.cursor");
        assertThat(api.get("/api/v1/lists/CURSORS%5FONE/subscriptions?cursor=" + cursor)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anOddLimitIsRefused() throws Exception {
        for (String listing : listings()) {
            if (listing.endsWith("/watchers")) {
                continue;
            }
            for (String limit : List.of(
                    "0",
                    "-1",
                    "1001",
                    "1000000000",
                    "2147483648",
                    "99999999999999999999",
                    "ten",
                    "1.5",
                    "1e3",
                    " ",
                    "\u0661",
                    "0x10",
                    "1 0",
                    "+5",
                    "\u0000")) {
                assertRefused(listing, "limit", limit);
            }
        }
    }

    @Test
    void theListingsOfAMessageTakeNeitherForeignCursorsNorOddLimits() throws Exception {
        Map<String, String> cursors = cursors();
        String message = api.get("/api/v1/messages?limit=1").json("$.items[0].messageRef");
        for (String listing : List.of("/outcomes", "/outcomes?outcome=sent", "/waiting")) {
            String path = "/api/v1/messages/" + message + listing;
            assertThat(status(path, "limit", "1000")).as(listing).isEqualTo(200);
            for (String limit : List.of("0", "-1", "1001", "many")) {
                assertThat(status(path, "limit", limit)).as(listing).isEqualTo(400);
            }
            for (String cursor : cursors.values()) {
                assertThat(status(path, "cursor", cursor)).as(listing).isEqualTo(400);
            }
        }
    }

    private static List<String> listings() {
        return List.of(
                ONE,
                OTHER,
                "/api/v1/subscriptions",
                "/api/v1/suppressions",
                "/api/v1/messages",
                "/api/v1/events",
                "/api/v1/jobs",
                "/api/v1/outbox",
                "/api/v1/outbox?to=cursor10@example.org",
                "/api/v1/dead-letters",
                "/api/v1/watchers");
    }

    /** Returns a cursor of each listing that has a second page. */
    private Map<String, String> cursors() throws Exception {
        for (String list : List.of("cursors_one", "cursors_two")) {
            api.post(
                    "/api/v1/lists",
                    "{\"name\": \"" + list + "\", \"fromEmail\": \"news@example.org\", \"optIn\": \"single\"}");
            for (String email : List.of("cursor10@example.org", "cursor11@example.org", "cursor20@example.org")) {
                api.post("/api/v1/lists/" + list + "/subscriptions", "{\"email\": \"" + email + "\"}");
            }
            api.post(
                    "/api/v1/messages",
                    "{\"list\": \"" + list + "\", \"subject\": \"x\", \"html\": \"<p>x</p>\","
                            + " \"scheduledAt\": \"2998-01-01T00:00:00Z\"}");
            api.post("/api/v1/jobs", "{\"job\": \"export\", \"list\": \"" + list + "\"}");
        }
        api.post(
                "/api/v1/suppressions",
                "{\"emails\": [\"cursor10@example.net\", \"cursor11@example.net\", \"cursor20@example.net\"]}");
        for (int i = 0; i < 2; i++) {
            events.write(new Event(
                    Instant.parse("2026-01-01T12:00:0" + i + "Z"), EventLevel.ERROR, "host/1", "x", "event", ""));
        }
        Map<String, String> cursors = new LinkedHashMap<>();
        for (String listing : listings()) {
            String cursor = listing.contains("watchers") ? null : first(listing);
            if (cursor != null) {
                cursors.put(listing, cursor);
            }
        }
        assertThat(cursors)
                .containsKeys(
                        ONE,
                        OTHER,
                        "/api/v1/subscriptions",
                        "/api/v1/suppressions",
                        "/api/v1/messages",
                        "/api/v1/events",
                        "/api/v1/jobs");
        return cursors;
    }

    private String first(String listing) throws Exception {
        status(listing, "limit", "1");
        return api.json("$.cursor");
    }

    private int status(String listing, String parameter, String value) throws Exception {
        String to = listing + (listing.contains("?") ? "&" : "?") + parameter + "=";
        return api.get(to + URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"))
                .status();
    }
}
