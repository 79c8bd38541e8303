package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.servlet.ServletException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that repeating a call that broke off, under its Idempotency-Key, creates nothing twice. */
class BrokenOffCallIT extends OnNamedCalls {

    private int importsBefore;
    private int jobsBefore;

    /** A kind of call, the status of its answer, and the name of what it creates. */
    private record Kind(String path, String body, int status, String created) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("/api/v1/lists", LIST.formatted("made_%s", "double"), 201, "lists"),
            new Kind("/api/v1/messages", MESSAGE.formatted("made_%s"), 201, "messages"),
            new Kind(
                    "/api/v1/lists/once_news/subscriptions",
                    "{\"email\": \"made_%s@example.org\"}",
                    202,
                    "confirmations"),
            new Kind("/api/v1/lists/once_single/subscriptions", "{\"email\": \"made_%s@example.org\"}", 201, "people"),
            new Kind(
                    "/api/v1/lists/once_news/subscriptions",
                    "{\"email\": \"added_%s@example.org\", \"verified\": false}",
                    201,
                    "added"),
            new Kind("/api/v1/keys", "{\"label\": \"made_%s\", \"scope\": \"metrics\"}", 201, "keys"),
            new Kind("/api/v1/watchers", WATCHER.formatted("made_%s"), 201, "watchers"),
            new Kind("/api/v1/lists/once_news/imports", "email\nmade_%s@example.org\n", 202, "imports"),
            new Kind("/api/v1/jobs", "{\"job\": \"export\", \"list\": \"once_single\"}", 202, "jobs"),
            new Kind("/api/v1/messages/{ref}/tests", "{\"email\": \"made_%s@example.org\"}", 202, "tests"));

    static Stream<Arguments> kindsAndModes() {
        return KINDS.stream().flatMap(kind -> Stream.of(Mode.DIES_BEFORE, Mode.DIES_AFTER, Mode.FAILS, Mode.ANSWER_LOST)
                .map(mode -> Arguments.of(kind, mode)));
    }

    @ParameterizedTest
    @MethodSource("kindsAndModes")
    void repeatingACallThatBrokeOffAtAnyStorageCallCreatesOne(Kind kind, Mode mode) throws Exception {
        boolean reached = true;
        int at = 0;
        while (reached) {
            at++;
            watchersHaveAManager();
            importsBefore = imports();
            jobsBefore = jobs();
            String mark = (kind.created() + mode + at)
                    .toLowerCase(java.util.Locale.ROOT)
                    .replace("_", "");
            String path = path(kind);
            ApiClient named = new ApiClient(mvc).named("broken-" + mark);
            reached = broken(() -> send(named, kind, path, mark), mode, at);
            time.advance(Duration.ofMinutes(3));
            send(named, kind, path, mark);
            if (kind.created().equals("keys") && named.status() == 409) {
                assertThat(named.<String>json("$.code")).isEqualTo("secret-shown-once");
            } else {
                assertThat(named.status())
                        .as("at call " + at + ": " + named.text())
                        .isEqualTo(kind.status());
            }
            assertThat(created(kind, path, mark)).as("at call " + at).isEqualTo(1);
        }
        assertThat(at).isGreaterThan(4);
    }

    /**
     * Returns all kinds except confirmations: two calls that ask a person to join send two of them, as two forms do.
     */
    static Stream<Kind> kindsOfThings() {
        return KINDS.stream().filter(kind -> !kind.created().equals("confirmations"));
    }

    /** The first try sleeps at each storage call in turn, while the second try does all the work. */
    @ParameterizedTest
    @MethodSource("kindsOfThings")
    void aTryThatSleptCreatesNothingBesideTheRepeatedOne(Kind kind) throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            watchersHaveAManager();
            importsBefore = imports();
            jobsBefore = jobs();
            String mark = kind.created() + "slept" + call;
            String path = path(kind);
            String name = "slept-" + mark;
            reached = asleep(
                    call,
                    () -> send(new ApiClient(mvc).named(name), kind, path, mark),
                    () -> send(new ApiClient(mvc).named(name), kind, path, mark));
            assertThat(created(kind, path, mark)).as("at call " + call).isEqualTo(1);
        }
    }

    /** Meanwhile, the second try creates the message, and an admin deletes it. */
    @Test
    void aTryThatSleptCreatesNoMessageThatWasDeleted() throws Exception {
        Kind messages = KINDS.stream()
                .filter(kind -> kind.created().equals("messages"))
                .findFirst()
                .orElseThrow();
        boolean reached = true;
        int call = 0;
        while (reached) {
            String mark = "deleted" + ++call;
            ApiClient first = new ApiClient(mvc).named("slept-" + mark);
            ApiClient second = new ApiClient(mvc).named("slept-" + mark);
            reached = asleep(call, () -> send(first, messages, messages.path(), mark), () -> {
                send(second, messages, messages.path(), mark);
                return new ApiClient(mvc).delete(second.header("Location"));
            });
            assertThat(subjects("made_" + mark)).as("at call " + call).isEqualTo(reached ? 0 : 1);
        }
        assertThat(call).isGreaterThan(10);
    }

    /** Meanwhile, the second try suppresses both addresses, and an admin releases them. */
    @Test
    void aTryThatSleptSuppressesNobodyWhoWasReleased() throws Exception {
        String path = "/api/v1/suppressions";
        List<String> people = List.of("one@slept.test", "two@slept.test");
        String body = "{\"emails\": [\"%s\", \"%s\"]}".formatted(people.toArray());
        boolean reached = true;
        int call = 0;
        while (reached) {
            ApiClient first = new ApiClient(mvc).named("suppressed-" + ++call);
            ApiClient second = new ApiClient(mvc).named("suppressed-" + call);
            reached = asleep(call, () -> first.post(path, body), () -> {
                second.post(path, body);
                for (String person : people) {
                    new ApiClient(mvc).delete(path + "/" + person);
                }
                time.advance(Duration.ofSeconds(1));
                return null;
            });
            assertThat(count(path + "?begins=&limit=1000", "$.items[?(@.email =~ /.*@slept.test/)]"))
                    .as("at call " + call)
                    .isEqualTo(reached ? 0 : 2);
        }
        assertThat(call).isGreaterThan(5);
    }

    /**
     * Returns whether the caller made this number of storage calls. At the last one, it sleeps for longer than a call
     * can be under way.
     */
    private boolean asleep(int at, Callable<?> act, Callable<?> meanwhile) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Thread sleeper = Thread.currentThread();
        storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (Thread.currentThread() == sleeper && calls.incrementAndGet() == at) {
                    time.advance(Duration.ofMinutes(3));
                    watchersHaveAManager();
                    assertThatCode(meanwhile::call).doesNotThrowAnyException();
                }
            }
        });
        act.call();
        storage.hook(CallHook.NONE);
        return calls.get() >= at;
    }

    /** The file of the first try is stored and processed, so the other file must not be reported as imported. */
    @Test
    void anotherFileUnderTheKeyOfAnImportThatBrokeOffIsRefused() throws Exception {
        Kind imports = KINDS.stream()
                .filter(kind -> kind.created().equals("imports"))
                .findFirst()
                .orElseThrow();
        int at = 0;
        int refused = 0;
        boolean reached = true;
        while (reached) {
            int known = imports();
            String mark = "file" + ++at;
            ApiClient named = new ApiClient(mvc).named("another-" + mark);
            reached = broken(() -> send(named, imports, imports.path(), mark), Mode.DIES_AFTER, at);
            time.advance(Duration.ofMinutes(3));
            int before = imports() - known;
            send(named, imports, imports.path(), mark + "_other");
            if (named.status() == 422) {
                refused++;
                assertThat(named.<String>json("$.code")).isEqualTo("idempotency-key-reused");
                send(named, imports, imports.path(), mark);
                assertThat(named.status()).as("the right file at call " + at).isEqualTo(202);
            } else {
                assertThat(named.status()).as("at call " + at).isEqualTo(202);
                assertThat(before)
                        .as("imports that a 202 for another file hides, at call " + at)
                        .isZero();
            }
        }
        assertThat(refused).as("deaths after the import was written down").isGreaterThanOrEqualTo(2);
    }

    private String path(Kind kind) throws Exception {
        if (!kind.path().contains("{ref}")) {
            return kind.path();
        }
        String location = new ApiClient(mvc)
                .post("/api/v1/messages", MESSAGE.formatted("tested"))
                .header("Location");
        return location + "/tests";
    }

    private static Void send(ApiClient named, Kind kind, String path, String mark) throws Exception {
        if (kind.created().equals("imports")) {
            named.postCsv(path, kind.body().formatted(mark));
        } else {
            named.post(path, kind.body().formatted(mark));
        }
        return null;
    }

    private boolean broken(Callable<Void> act, Mode mode, int at) throws Exception {
        AtomicInteger count = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (count.incrementAndGet() == at && mode == Mode.DIES_BEFORE) {
                    throw new ProcessDied();
                }
                if (count.get() == at && mode == Mode.FAILS) {
                    throw new StorageException(Reason.UNAVAILABLE, "not done", null);
                }
            }

            @Override
            public void after(Call call) {
                if (count.get() == at && mode == Mode.DIES_AFTER) {
                    throw new ProcessDied();
                }
                if (count.get() == at && mode == Mode.ANSWER_LOST) {
                    throw new StorageException(Reason.TIMED_OUT, "done, but nobody heard", null);
                }
            }
        });
        try {
            act.call();
        } catch (ServletException | ProcessDied died) {
            assertThat(mode.dies()).as(String.valueOf(died)).isTrue();
        } finally {
            storage.hook(CallHook.NONE);
        }
        return count.get() >= at;
    }

    private int created(Kind kind, String path, String mark) throws Exception {
        return switch (kind.created()) {
            case "lists" -> count("/api/v1/lists", "$.items[?(@.name == 'made_" + mark + "')]");
            case "messages" -> subjects("made_" + mark);
            case "confirmations" -> declarations("once_news", "made_" + mark, "ASKED_TO_JOIN");
            case "people" -> declarations("once_single", "made_" + mark, "JOINED");
            case "added" -> declarations("once_news", "added_" + mark, "ADDED");
            case "watchers" -> count("/api/v1/watchers", "$.items[?(@.name == 'made_" + mark + "')]");
            case "keys" -> count("/api/v1/keys", "$.items[?(@.label == 'made_" + mark + "')]");
            case "imports" -> imports() - importsBefore;
            case "jobs" -> jobs() - jobsBefore;
            default -> count(path, "$.items[*]");
        };
    }

    private int imports() {
        return (int) Rows.all(storage.tables(), "imports", KeyRange.everything()).stream()
                .filter(row -> row.rowKey().equals("import"))
                .count();
    }

    private int jobs() throws Exception {
        return count("/api/v1/jobs?limit=1000", "$.items[*]");
    }

    private int declarations(String list, String name, String kind) throws Exception {
        return count(
                "/api/v1/lists/" + list + "/subscriptions/" + name + "@example.org",
                "$.consent[?(@.kind == '" + kind + "')]");
    }

    private int subjects(String subject) throws Exception {
        return count("/api/v1/messages?limit=1000", "$.items[?(@.subject == '" + subject + "')]");
    }

    private int count(String path, String json) throws Exception {
        return new ApiClient(mvc).get(path).<List<?>>json(json).size();
    }
}
