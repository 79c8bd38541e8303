package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.ConfirmationClaims;
import org.azuremail.subscription.ConfirmationClaims.ClaimResult;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class SubscriptionApiTest {

    private static final String BOB = "{\"email\": \"Bob@example.org\", \"name\": \"Bob\"}";

    @Autowired
    MockMvc mvc;

    @Autowired
    ListStore lists;

    @Autowired
    SubscriptionStore store;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    ConfirmationClaims claims;

    @Autowired
    SimulatedStorage storage;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void peopleAreFoundOverAllLists() throws Exception {
        String one = list("sub_wide1", "single");
        String two = list("sub_wide2", "single");
        for (String path : List.of(one, two)) {
            api.post(path, "{\"email\": \"wide@example.org\"}");
        }

        assertThat(api.get("/api/v1/subscriptions?prefix=WIDE@&limit=1").status())
                .isEqualTo(200);
        assertThat(api.<String>json("$.items[0].list")).isEqualTo("sub_wide1");
        String cursor = api.json("$.cursor");
        api.get("/api/v1/subscriptions?prefix=WIDE@&limit=1&cursor=" + cursor);
        assertThat(api.<String>json("$.items[0].list")).isEqualTo("sub_wide2");
        assertThat(api.get("/api/v1/subscriptions?limit=1001").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/subscriptions?cursor=/").status()).isEqualTo(400);
    }

    @Test
    void e17_a51_confirmationFlowThroughTheNewCall() throws Exception {
        String path = list("sub_flow", "double");

        assertThat(api.post(path, BOB).status()).isEqualTo(202);
        assertThat(api.<String>json("$.state")).isEqualTo("unconfirmed");
        String item = subscriber("sub_flow").guid() + ",sub_flow";
        await().untilAsserted(() -> assertThat(queued()).contains(item));
        assertThat(api.post(path, BOB).status()).isEqualTo(202);
        confirm("sub_flow");
        assertThat(api.post(path, BOB).status()).isEqualTo(409);
        assertThat(api.post("/api/v1/lists/sub_nowhere/subscriptions", BOB).status())
                .isEqualTo(404);
    }

    @Test
    void addressThatAnOlderVersionStoredByIdna2003IsFoundAndErased() throws Exception {
        String path = list("sub_idna", "double");
        subscriptions.adminAdd(
                new ListName("sub_idna"),
                new EmailAddress("eva@strasse.test"),
                Profile.NONE,
                true,
                Origin.admin("test"));

        assertThat(api.get(path + "/eva@stra%C3%9Fe.test").<String>json("$.email"))
                .isEqualTo("eva@strasse.test");
        assertThat(api.delete(path + "/eva@stra%C3%9Fe.test").status()).isEqualTo(204);
        assertThat(api.get(path + "/eva@strasse.test").status()).isEqualTo(404);
    }

    @Test
    void e17_a51_confirmationFlowThroughTheTutorialsCallWithItsTexts() throws Exception {
        list("sub_get", "double");
        String call = "/api/SubscribeAPI?emailAddress=Bob%40example.org&listName=";

        assertThat(api.get(call + "sub_get").status()).isEqualTo(202);
        assertThat(api.get(call + "sub_get").status()).isEqualTo(202);
        confirm("sub_get");
        assertThat(api.get(call + "sub_get").status()).isEqualTo(400);
        assertThat(api.text()).isEqualTo("Bob@example.org Currently subscribed to: sub_get");
        assertThat(api.get(call + "sub_nowhere").status()).isEqualTo(400);
        assertThat(api.text()).isEqualTo("No such list sub_nowhere");
        assertThat(api.get("/api/SubscribeAPI?emailAddress=x&listName=sub_get").status())
                .isEqualTo(400);
        assertThat(api.get("/api/SubscribeAPI?listName=sub_get").status()).isEqualTo(400);
        assertThat(api.text()).isEqualTo("Not an e-mail address: ");
        assertThat(api.withKey("")
                        .get(call + "sub_get&key=" + "am_in_the_query")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void askingForTheHeadersOfTheTutorialsCallSubscribesNobody() throws Exception {
        list("sub_head", "single");
        String call = "/api/SubscribeAPI?emailAddress=bob@example.org&listName=sub_head";

        assertThat(api.send(HttpMethod.HEAD, call, null, "").status()).isEqualTo(405);

        assertThat(api.header("Allow")).isEqualTo("GET");
        assertThat(api.get("/api/v1/lists/sub_head/subscriptions/bob@example.org")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a51_singleOptInSubscribesAtOnce() throws Exception {
        String path = list("sub_single", "single");

        assertThat(api.post(path, BOB).status()).isEqualTo(201);
        assertThat(api.<String>json("$.state")).isEqualTo("subscribed");
        assertThat(api.post(path, BOB).status()).isEqualTo(409);
    }

    /**
     * The four reads are those of the key, the list, the person and, for a new person, the shard's count. One batch
     * writes all rows of the person; the directory is updated later. The first person of a shard, here Bob, costs one
     * more read of the list.
     */
    @Test
    void joiningCostsFourReadsAndOneBatchAndComingAgainThreeReads() throws Exception {
        String path = list("sub_cost", "single");
        api.post(path, "{\"email\": \"ben@example.org\"}");

        assertThat(calls(() -> assertThat(api.post(path, BOB).status()).isEqualTo(201)))
                .isEqualTo(Map.of(Call.Kind.GET, 4L, Call.Kind.WRITE, 1L));
        assertThat(calls(() -> assertThat(api.post(path, BOB).status()).isEqualTo(409)))
                .isEqualTo(Map.of(Call.Kind.GET, 3L));
    }

    private Map<Call.Kind, Long> calls(ThrowableAssert.ThrowingCallable action) {
        List<Call> made = new CopyOnWriteArrayList<>();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                made.add(call);
            }
        });
        assertThatCode(action).doesNotThrowAnyException();
        storage.hook(CallHook.NONE);
        return made.stream()
                .filter(call -> !call.place().equals(PersonDirectory.TABLE))
                .collect(Collectors.groupingBy(Call::kind, Collectors.counting()));
    }

    @Test
    void aSuppressedAddressLooksLikeAnyOther() throws Exception {
        String path = list("sub_quiet", "double");
        api.post(path, BOB);
        String forBob = api.text();
        subscriptions.suppress(new ListName("sub_quiet"), new EmailAddress("bob@example.org"), Origin.admin("x"));

        assertThat(api.post(path, BOB).status()).isEqualTo(202);
        assertThat(api.text()).isEqualTo(forBob);
    }

    @Test
    void defect14_anAddressThatNoServerTakesIsRefusedAtItsField() throws Exception {
        String path = list("sub_bad", "double");
        for (String bad : List.of("x", "a@b", "a b@example.org", "a@example.org\\r\\nBcc: c@example.org", "a/#?@x")) {
            assertThat(api.post(path, "{\"email\": \"" + bad + "\"}").status())
                    .as(bad)
                    .isEqualTo(400);
            assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("email");
        }
        assertThat(api.post(path, "{\"email\": \"a@example.org\", \"name\": \"x\\ny\"}")
                        .status())
                .isEqualTo(400);
        assertThat(api.post(path, "{\"email\": \"a@example.org\", \"attributes\": {\"shoe\": \"39\"}}")
                        .status())
                .isEqualTo(400);
        assertThat(api.<String>json("$.errors[0].message"))
                .isEqualTo("The list has no attribute shoe, nor any other. Add a field, or import one.");
        api.post(path, "{\"email\": \"" + "a".repeat(5000) + "@example.org\"}");
        assertThat(api.<String>json("$.errors[0].message")).contains("at most 254 characters");
    }

    @Test
    void aSubscriberIsShownWithTheProofOfConsentAndErased() throws Exception {
        String path = list("sub_one", "double");
        api.post(path, BOB);

        api.get(path + "/BOB@example.org");
        assertThat(api.<String>json("$.email")).isEqualTo("Bob@example.org");
        assertThat(api.<String>json("$.name")).isEqualTo("Bob");
        assertThat(api.<String>json("$.consent[0].kind")).isEqualTo("ASKED_TO_JOIN");
        assertThat(api.<String>json("$.consent[0].ip")).isEqualTo("127.0.0.1");
        assertThat(api.delete(path + "/bob@example.org").status()).isEqualTo(204);
        assertThat(api.get(path + "/bob@example.org").status()).isEqualTo(404);
        assertThat(api.delete(path + "/bob@example.org").status()).isEqualTo(404);
    }

    @Test
    void e27_subscribersAreWalkedByCursors() throws Exception {
        String path = list("sub_many", "single");
        for (int i = 0; i < 25; i++) {
            api.post(path, "{\"email\": \"p" + (10 + i) + "@example.org\"}");
        }
        List<String> walked = new ArrayList<>();
        String cursor = null;
        do {
            api.get(path + "?limit=10&state=subscribed" + (cursor == null ? "" : "&cursor=" + cursor));
            walked.addAll(api.json("$.items[*].email"));
            cursor = api.json("$.cursor");
        } while (cursor != null);

        assertThat(walked).hasSize(25).isSorted();
        assertThat(api.get(path + "?prefix=P1").<List<String>>json("$.items[*].email"))
                .hasSize(10);
        assertThat(api.get(path + "?limit=0&state=nope").<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("limit", "state");
        assertThat(api.get(path + "?cursor=nonsense").status()).isEqualTo(400);
        assertThat(api.get(path + "?limit=x").status()).isEqualTo(400);
    }

    private String list(String name, String optIn) throws Exception {
        api.post(
                "/api/v1/lists",
                "{\"name\": \"" + name + "\", \"fromEmail\": \"news@example.org\", \"optIn\": \"" + optIn + "\"}");
        return "/api/v1/lists/" + name + "/subscriptions";
    }

    private void confirm(String list) {
        ConfirmationItem item = new ConfirmationItem(subscriber(list).guid(), new ListName(list));
        ClaimResult.Claimed mailed = (ClaimResult.Claimed) claims.claim(item);
        subscriptions.confirm(new ListName(list), mailed.claim().link(), Origin.link(null));
    }

    private Subscriber subscriber(String list) {
        return store.find(lists.find(new ListName(list)).orElseThrow().value(), new EmailAddress("bob@example.org"))
                .orElseThrow()
                .value();
    }

    private List<String> queued() {
        return storage.queues().peek(ConfirmationItem.TYPE.queue(), 32).stream()
                .map(item -> item.text())
                .toList();
    }
}
