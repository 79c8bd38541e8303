package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.azuremail.greeting.Greetings;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that repeating a call under the same Idempotency-Key creates nothing twice. */
class IdempotencyKeyTest extends OnNamedCalls {

    @Autowired
    IdempotentCalls calls;

    @Autowired
    ListStore lists;

    @Test
    void aRepeatedCallIsAnsweredAsTheFirst() throws Exception {
        ApiClient named = api.named("\"repeat-1\"");
        String first =
                named.post("/api/v1/messages", MESSAGE.formatted("repeated")).text();
        String location = named.header("Location");

        named.post("/api/v1/messages", MESSAGE.formatted("repeated"));

        assertThat(named.status()).isEqualTo(201);
        assertThat(named.text()).isEqualTo(first);
        assertThat(named.header("Location")).isEqualTo(location);
        assertThat(subjects("repeated")).isEqualTo(1);
        assertThat(api.named("repeat-1")
                        .post("/api/v1/messages", MESSAGE.formatted("repeated"))
                        .text())
                .as("the quotes do not belong to the key")
                .isEqualTo(first);
    }

    @Test
    void aRepeatedWatcherIsAnsweredAsTheFirst() throws Exception {
        ApiClient named = api.named("watcher").post("/api/v1/watchers", WATCHER.formatted("once"));
        String first = named.text();
        assertThat(named.status()).as(first).isEqualTo(201);

        assertThat(named.post("/api/v1/watchers", WATCHER.formatted("once")).status())
                .isEqualTo(201);
        assertThat(named.text()).isEqualTo(first);
        assertThat(named.header("Location")).isEqualTo("/api/v1/watchers/once");
        assertThat(named.post("/api/v1/watchers", WATCHER.formatted("other")).status())
                .isEqualTo(422);
        assertThat(api.named("another")
                        .post("/api/v1/watchers", WATCHER.formatted("once"))
                        .status())
                .isEqualTo(409);
    }

    @Test
    void aJobBeginsOnceUnderOneName() throws Exception {
        String wanted = "{\"job\": \"%s\", \"list\": \"once_news\"}";
        ApiClient named = api.named("job").post("/api/v1/jobs", wanted.formatted("export"));
        String job = named.header("Location");
        assertThat(named.status()).as(named.text()).isEqualTo(202);

        named.post("/api/v1/jobs", wanted.formatted("export"));
        assertThat(named.header("Location")).isEqualTo(job);
        assertThat(named.post("/api/v1/jobs", wanted.formatted("statistics")).status())
                .isEqualTo(422);
    }

    @Test
    void theLastGreetingThatThereMayBeIsAnsweredAgainToo() throws Exception {
        api.post("/api/v1/messages", """
                {"list": "once_news", "subject": "Welcome", "html": "<p>Hello</p>", "draft": true}
                """);
        String greeting = """
                {"name": "Welcome", "list": "once_news", "occasion": "welcome", "time": "%s", "message": "REF"}
                """.replace("REF", api.<String>json("$.messageRef"));
        while (api.get("/api/v1/greetings").<List<String>>json("$.items[*].id").size() < Greetings.MAX - 1) {
            assertThat(api.post("/api/v1/greetings", greeting.formatted("08:00"))
                            .status())
                    .isEqualTo(201);
        }

        ApiClient named = api.named("greeting").post("/api/v1/greetings", greeting.formatted("09:00"));
        String last = named.header("Location");
        assertThat(named.status()).as(named.text()).isEqualTo(201);

        named.post("/api/v1/greetings", greeting.formatted("09:00"));
        assertThat(named.header("Location")).as(named.text()).isEqualTo(last);
        assertThat(named.post("/api/v1/greetings", greeting.formatted("10:00")).status())
                .isEqualTo(422);
        assertThat(api.post("/api/v1/greetings", greeting.formatted("09:00")).status())
                .as("one more")
                .isEqualTo(400);
    }

    @Test
    void suppressionsAreAddedOnceUnderOneName() throws Exception {
        String addresses = "{\"emails\": [\"%s\"]}";
        ApiClient named = api.named("suppressed").post("/api/v1/suppressions", addresses.formatted("gone@example.org"));
        assertThat(named.<Integer>json("$.added")).isEqualTo(1);

        named.post("/api/v1/suppressions", addresses.formatted("gone@example.org"));
        assertThat(named.<Integer>json("$.added")).as("the first answer").isEqualTo(1);
        assertThat(named.post("/api/v1/suppressions", addresses.formatted("other@example.org"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void indexingBeginsOnceUnderOneName() throws Exception {
        ApiClient named = api.named("indexed").post("/api/v1/lists/once_news/fields/index", "");
        String job = named.header("Location");
        assertThat(named.status()).as(named.text()).isEqualTo(202);

        named.post("/api/v1/lists/once_news/fields/index", "");
        assertThat(named.header("Location")).isEqualTo(job);
    }

    @Test
    void aCallWhoseListOrMessageWasDeletedMeanwhileIsAnsweredAsTheFirst() throws Exception {
        String list = "/api/v1/lists/once_news";
        String test = "/api/v1/messages/"
                + api.post("/api/v1/messages", MESSAGE.formatted("Deleted")).json("$.messageRef") + "/tests";
        Map<String, String> bodies = Map.of(
                list + "/subscriptions",
                "{\"email\": \"left@example.org\"}",
                list + "/fields/index",
                "",
                test,
                "{\"email\": \"me@example.org\"}");
        Map<String, Integer> first = new HashMap<>();
        for (Map.Entry<String, String> call : bodies.entrySet()) {
            first.put(
                    call.getKey(),
                    api.named(call.getKey())
                            .post(call.getKey(), call.getValue())
                            .status());
        }
        String csv = "email\nfile@example.org\n";
        String started = api.named("deleted").postCsv(list + "/imports", csv).json("$.id");
        assertThat(first.values()).containsOnly(202);

        api.delete(test.replace("/tests", ""));
        lists.markDeleting(new ListName("once_news"));
        lists.remove(new ListName("once_news"));

        for (Map.Entry<String, String> call : bodies.entrySet()) {
            assertThat(api.named(call.getKey())
                            .post(call.getKey(), call.getValue())
                            .status())
                    .as(call.getKey())
                    .isEqualTo(202);
            assertThat(api.named(call.getKey() + "/again")
                            .post(call.getKey(), call.getValue())
                            .status())
                    .as("a new call of " + call.getKey())
                    .isEqualTo(404);
        }
        assertThat(api.named("deleted").postCsv(list + "/imports", csv).<String>json("$.id"))
                .isEqualTo(started);
        assertThat(api.named("another").postCsv(list + "/imports", csv).status())
                .isEqualTo(404);
    }

    @Test
    void theSameKeyWithAnotherBodyOrAddressIsRefused() throws Exception {
        api.named("other").post("/api/v1/messages", MESSAGE.formatted("one"));

        api.named("other").post("/api/v1/messages", MESSAGE.formatted("another"));
        assertThat(api.named("other")
                        .post("/api/v1/messages", MESSAGE.formatted("another"))
                        .status())
                .isEqualTo(422);
        ApiClient list = api.named("other").post("/api/v1/lists", LIST.formatted("other_list", "double"));
        assertThat(list.status()).isEqualTo(422);
        assertThat(list.<String>json("$.code")).isEqualTo("idempotency-key-reused");
        assertThat(subjects("another")).isZero();
    }

    @Test
    void aFileWithOtherRowsIsAnotherCall() throws Exception {
        String path = "/api/v1/lists/once_news/imports?verified=true";
        ApiClient named = api.named("file").postCsv(path, "email\nann@example.org\n");
        String first = named.text();

        assertThat(named.status()).isEqualTo(202);
        assertThat(named.postCsv(path, "email\nann@example.org\n").text()).isEqualTo(first);
        assertThat(named.postCsv(path, "email\nbob@example.org\n").status()).isEqualTo(422);
        assertThat(named.postCsv(path + "&x=1", "email\nann@example.org\n").status())
                .isEqualTo(422);
    }

    @Test
    void aRefusedCallLeavesTheKeyFree() throws Exception {
        ApiClient named = api.named("mended");
        assertThat(named.post("/api/v1/lists", LIST.formatted("once_news", "double"))
                        .status())
                .isEqualTo(409);

        assertThat(named.post("/api/v1/lists", LIST.formatted("mended", "double"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void keysOfTwoOwnersNeverMeet() throws Exception {
        api.post("/api/v1/keys", "{\"label\": \"second\", \"scope\": \"admin\"}");
        ApiClient second = api.withKey(api.json("$.secret"));
        api.named("shared").post("/api/v1/messages", MESSAGE.formatted("of two"));

        assertThat(second.named("shared")
                        .post("/api/v1/messages", MESSAGE.formatted("of two"))
                        .status())
                .isEqualTo(201);

        assertThat(subjects("of two")).isEqualTo(2);
    }

    @Test
    void afterADayTheKeyIsFreeAndItsRowGoes() throws Exception {
        api.named("old").post("/api/v1/messages", MESSAGE.formatted("of yesterday"));
        time.advance(Duration.ofHours(24).plusSeconds(1));
        assertThat(api.named("old")
                        .post("/api/v1/messages", MESSAGE.formatted("of yesterday"))
                        .status())
                .isEqualTo(201);
        assertThat(subjects("of yesterday")).isEqualTo(2);
        time.advance(Duration.ofHours(24).plusSeconds(1));

        calls.removeExpired();

        assertThat(Rows.all(storage.tables(), "idempotency", KeyRange.everything()))
                .isEmpty();
    }

    @Test
    void aMalformedKeyIsRefused() throws Exception {
        for (String none : List.of("", "\"\"", "two words", "ä", "x".repeat(256), "\"a\"b\"")) {
            ApiClient refused = api.named(none).post("/api/v1/messages", MESSAGE.formatted("no key"));
            assertThat(refused.status()).as(none).isEqualTo(400);
            assertThat(refused.<String>json("$.code")).isEqualTo("idempotency-key-malformed");
        }
        assertThat(subjects("no key")).isZero();
    }

    @Test
    void theSecretOfAKeyIsNotShownASecondTime() throws Exception {
        String wanted = "{\"label\": \"shown once\", \"scope\": \"metrics\"}";
        ApiClient named = api.named("secret").post("/api/v1/keys", wanted);
        String secret = named.json("$.secret");
        String location = named.header("Location");

        named.post("/api/v1/keys", wanted);

        assertThat(named.status()).isEqualTo(409);
        assertThat(named.<String>json("$.code")).isEqualTo("secret-shown-once");
        assertThat(named.header("Location")).isEqualTo(location);
        assertThat(named.text()).doesNotContain(secret);
        assertThat(Rows.all(storage.tables(), "idempotency", KeyRange.everything())
                        .toString())
                .doesNotContain(secret);
    }

    @Test
    void twentyAtOnceCreateOne() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            Callable<Integer> call = () -> new ApiClient(mvc)
                    .named("twenty")
                    .post("/api/v1/messages", MESSAGE.formatted("of twenty"))
                    .status();
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> one :
                    threads.invokeAll(Stream.generate(() -> call).limit(20).toList())) {
                answers.add(one.get());
            }
            assertThat(answers)
                    .contains(201)
                    .containsAnyOf(201, 409)
                    .allMatch(status -> status == 201 || status == 409);
        } finally {
            threads.shutdown();
        }
        assertThat(subjects("of twenty")).isEqualTo(1);
    }

    @Test
    void whileTheFirstIsUnderWayTheSecondIsRefused() throws Exception {
        AtomicInteger second = new AtomicInteger();
        ApiClient other = new ApiClient(mvc).named("under way");
        ApiClient slow = new ApiClient(mvc).named("under-way");
        storage.hook(new CallHook() {
            private boolean asked;

            @Override
            public void before(Call call) {
                if (!asked && call.kind() == Call.Kind.PUT_BLOB) {
                    asked = true;
                    try {
                        second.set(new ApiClient(mvc)
                                .named("under-way")
                                .post("/api/v1/messages", MESSAGE.formatted("slow"))
                                .status());
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        });
        try {
            slow.post("/api/v1/messages", MESSAGE.formatted("slow"));
        } finally {
            storage.hook(CallHook.NONE);
        }
        assertThat(second.get()).isEqualTo(409);
        assertThat(slow.status()).isEqualTo(201);
        assertThat(other.post("/api/v1/messages", MESSAGE.formatted("slow")).status())
                .isEqualTo(400);
    }

    private int subjects(String subject) throws Exception {
        return count("/api/v1/messages?limit=1000", "$.items[?(@.subject == '" + subject + "')]");
    }

    private int count(String path, String json) throws Exception {
        return new ApiClient(mvc).get(path).<List<?>>json(json).size();
    }
}
