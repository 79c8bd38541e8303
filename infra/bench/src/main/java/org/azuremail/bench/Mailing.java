package org.azuremail.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A message to a list: its duration from the call that creates it to its completion, and its cost. */
record Mailing(
        int readers, double fanOut, double seconds, double calls, double cpu, double sinkCpu, double sinkSeconds) {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    /**
     * The interval of polls. A poll reads the control rows of each shard: twenty calls, which count as the message's.
     */
    private static final int POLL_MILLIS = 500;

    private static final int SAMPLES = 20;

    double perSecond() {
        return readers / seconds;
    }

    /** Returns the seconds from the end of fan-out to the end; sending begins before that. */
    double drain() {
        return seconds - fanOut;
    }

    double callsPerMail() {
        return calls / readers;
    }

    double cpuPer10k() {
        return cpu * 10_000 / readers;
    }

    double sinkCpuPer10k() {
        return sinkCpu * 10_000 / readers;
    }

    static Mailing run(Service service, String list, int readers, boolean counted) {
        return run(service, Map.of("list", list), readers, 1, counted);
    }

    /**
     * Sends a message and waits for its completion.
     *
     * @param to a {@code list}, or a {@code segment} of it
     * @param step 1 if the first readers get the message, 10 if every tenth does
     * @param counted whether a sink counts the emails
     * @throws IllegalStateException if a reader got no email or more than one, or the records do not agree
     */
    static Mailing run(Service service, Map<String, String> to, int readers, int step, boolean counted) {
        MailCounter counter = service.tally();
        counter.reset();
        Api api = service.api();
        double calls = api.storageCalls();
        double cpu = service.jvm().cpuSeconds();
        double own = Jvm.ownCpuSeconds();
        String path = api.send(to, "News for {{name|friend}}", RecipientLists.BODY);
        long began = System.nanoTime();
        double[] fanOut = {0};
        JsonNode now = awaitEnd(api, path, state -> {
            if (fanOut[0] == 0 && state.equals("processing")) {
                fanOut[0] = Lab.seconds(began);
            }
        });
        double seconds = took(now);
        Mailing done = new Mailing(
                readers,
                fanOut[0] == 0 ? seconds : Math.min(fanOut[0], seconds),
                seconds,
                api.storageCalls() - calls,
                service.jvm().cpuSeconds() - cpu,
                Jvm.ownCpuSeconds() - own,
                counted ? counter.seconds() : seconds);
        check(api, path, now, readers, step);
        if (counted) {
            counter.requireOneEach(readers, step);
        }
        return done;
    }

    static void await(Api api, String path) {
        JsonNode now = awaitEnd(api, path, state -> {});
        if (now.get("sent").asLong() != now.get("recipients").asLong()) {
            throw new IllegalStateException("the records do not agree: " + now);
        }
    }

    /** @param look receives each state before completion */
    private static JsonNode awaitEnd(Api api, String path, Consumer<String> look) {
        long began = System.nanoTime();
        while (true) {
            JsonNode now = api.get(path);
            String state = now.get("state").asString();
            if (state.equals("completed")) {
                return now;
            }
            if (Lab.seconds(began) > TIMEOUT.toSeconds()
                    || List.of("failed", "cancelled").contains(state)) {
                throw new IllegalStateException("the message did not end: " + now);
            }
            look.accept(state);
            Service.sleep(POLL_MILLIS);
        }
    }

    private static double took(JsonNode message) {
        Instant began = Instant.parse(message.get("createdAt").asString());
        return Duration.between(began, Instant.parse(message.get("completedAt").asString()))
                        .toNanos()
                / 1e9;
    }

    /** Checks that the counts and a sample of the outcomes report one email to each reader. */
    private static void check(Api api, String path, JsonNode message, int readers, int step) {
        for (String count : List.of("recipients", "sent")) {
            if (message.get(count).asLong() != readers) {
                throw new IllegalStateException("the records do not agree: " + message);
            }
        }
        for (int i = 0; i < SAMPLES; i++) {
            String reader = MailCounter.recipientAddress(step * (1 + (int) ((long) i * (readers - 1) / SAMPLES)));
            JsonNode items = api.get(path + "/outcomes?email=" + reader).get("items");
            if (items.size() != 1 || !items.get(0).get("outcome").asString().equals("sent")) {
                throw new IllegalStateException("the record of " + reader + " says " + items);
            }
        }
    }
}
