package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.StorageProxy;
import org.azuremail.web.process.Program.Answer;

/** Schedulers from their jars on one Azurite, each behind its own proxy, beside a web application in this process. */
final class WatcherProcesses implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration START = Duration.ofMinutes(5);
    static final Duration OFTEN = Duration.ofMillis(100);

    /** The manager's lease, the watchers' lease and a poll take much less, but the machine may be busy. */
    static final Duration TAKE_OVER = Duration.ofMinutes(5);

    private final Path directory;
    private final Azurite azurite = Azurite.start();
    private final FeedsOnLoopback feeds = new FeedsOnLoopback();
    private final LocalService web;
    private final Map<String, StorageProxy> proxies = new HashMap<>();
    private final Map<String, WorkerProcess> running = new HashMap<>();
    private final List<WorkerProcess> ever = new ArrayList<>();
    private int edits;

    /** @param schedulers the names of schedulers that start at the same time as the web application */
    private WatcherProcesses(Path directory, String... schedulers) throws IOException {
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(new Thread(this::endProcesses));
        beginToStart(schedulers);
        List<String> settings = common(azurite.connectionString());
        settings.add("azuremail.roles=web");
        web = LocalService.start(Files.createDirectories(directory.resolve("web")), settings.toArray(String[]::new));
    }

    static WatcherProcesses start(Path directory, String... schedulers) throws IOException {
        WatcherProcesses processes = new WatcherProcesses(directory, schedulers);
        Awaitility.await("the key")
                .until(() -> processes.web.program().get("/api/v1/watchers").status() == 200);
        processes.awaitBirths(schedulers);
        return processes;
    }

    /** Returns the settings of all processes. One machine has one clock, so leases need no grace. */
    private static List<String> common(String connection) {
        return new ArrayList<>(List.of(
                "azuremail.storage=azure",
                "azuremail.azure.connection-string=" + connection,
                "azuremail.work.signals.bind=127.0.0.1",
                "azuremail.work.foreign-lease-grace=0s",
                "azuremail.watchers.lease=" + LEASE.toSeconds() + "s",
                "azuremail.watchers.capacity=2",
                "azuremail.watchers.allow-private=true"));
    }

    void beginToStart(String... names) throws IOException {
        for (String name : names) {
            StorageProxy proxy = proxies.computeIfAbsent(name, unknown -> StorageProxy.to(azurite));
            List<String> settings = common(proxy.connectionString());
            settings.add("azuremail.public-url=http://localhost");
            settings.add("azuremail.watchers.service-name=" + name);
            WorkerProcess process = WorkerProcess.start(
                    "worker-scheduler", Files.createDirectories(directory.resolve(name + "/data")), settings);
            running.put(name, process);
            ever.add(process);
        }
    }

    /** Waits until these processes are among the services. */
    void awaitBirths(String... names) {
        Awaitility.await("births").atMost(START).until(() -> living().containsAll(List.of(names)));
    }

    WorkerProcess get(String name) {
        return java.util.Objects.requireNonNull(running.get(name), name);
    }

    FeedsOnLoopback feeds() {
        return feeds;
    }

    void cutOff(String... names) {
        Stream.of(names).forEach(name -> proxies.get(name).breakOff());
    }

    void connect(String... names) {
        Stream.of(names).forEach(name -> proxies.get(name).pass());
    }

    /** Creates watchers, as soon as the manager knows all processes, and waits until each has a process. */
    void create(String... names) {
        for (String name : names) {
            Awaitility.await(name)
                    .atMost(TAKE_OVER)
                    .until(() -> tryToCreate(name).status() == 201);
        }
        Awaitility.await("a process for each").atMost(TAKE_OVER).until(() -> owners().keySet()
                .containsAll(List.of(names)));
    }

    Answer tryToCreate(String name) {
        return web.program().call("POST", "/api/v1/watchers", """
                {"name": "%s", "kind": "feed", "settings": %s}""".formatted(name, settings(name)));
    }

    /** Makes a watcher read its feed again by changing its settings. */
    void poke(String name) {
        Answer answer = web.program().call("PUT", "/api/v1/watchers/" + name, "{\"settings\": " + settings(name) + "}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    private String settings(String name) {
        return """
                {"address": "%s", "list": "news", "what": "draft", "minutes": "60", "title": "edit %d"}""".formatted(feeds.address(name), ++edits);
    }

    /** Starts or stops the manager, in whichever process it runs. */
    void manager(String act) {
        Answer answer = web.program().call("POST", "/api/v1/operations/watchers/" + act, "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(204);
    }

    Answer delete(String name) {
        return web.program().call("DELETE", "/api/v1/watchers/" + name, "");
    }

    void awaitEnd(String name) {
        Awaitility.await("the end of " + name).atMost(TAKE_OVER).until(() -> status(name)
                .equals("Deleted"));
    }

    String status(String name) {
        return web.program().get("/api/v1/watchers/" + name).at("$.status");
    }

    Answer capacity() {
        return web.program().get("/api/v1/services");
    }

    /** Returns the names of the services that are not marked as dead. */
    List<String> living() {
        return capacity().at("$.services[?(@.isDeleted == false)].name");
    }

    void awaitLiving(String... names) {
        Awaitility.await("who lives").atMost(TAKE_OVER).untilAsserted(() -> assertThat(living())
                .containsExactlyInAnyOrder(names));
    }

    /** Returns the ids of all services that were ever born. */
    List<String> births() {
        return capacity().at("$.services[*].id");
    }

    /** Returns the process of each watcher, without watchers that wait for a process or whose process has died. */
    Map<String, String> owners() {
        Map<String, String> names = new HashMap<>();
        List<Map<String, String>> services = capacity().at("$.services[?(@.isDeleted == false)]['id', 'name']");
        services.forEach(service -> names.put(service.get("id"), service.get("name")));
        Map<String, String> owners = new LinkedHashMap<>();
        List<Map<String, String>> watchers =
                web.program().get("/api/v1/watchers").at("$.items[?(@.status == 'Processing')]['id', 'serviceId']");
        watchers.stream()
                .filter(watcher -> names.containsKey(watcher.get("serviceId")))
                .forEach(watcher -> owners.put(watcher.get("id"), names.get(watcher.get("serviceId"))));
        return owners;
    }

    List<String> ownedBy(String process) {
        return owners().entrySet().stream()
                .filter(owner -> owner.getValue().equals(process))
                .map(Map.Entry::getKey)
                .toList();
    }

    String[] running() {
        return owners().keySet().toArray(String[]::new);
    }

    Map<String, String> createdAt() {
        Map<String, String> created = new HashMap<>();
        List<Map<String, String>> watchers =
                web.program().get("/api/v1/watchers").at("$.items[?(@.status == 'Processing')]['id', 'createdAt']");
        watchers.forEach(watcher -> created.put(watcher.get("id"), watcher.get("createdAt")));
        return created;
    }

    /** Makes each watcher read its feed, and checks that it reads it exactly once. */
    void eachRunsOnce(String... names) {
        feeds.awaitQuiet();
        Map<String, Integer> before = feeds.readings();
        Stream.of(names).forEach(this::poke);
        Awaitility.await("a reading of each").atMost(TAKE_OVER).untilAsserted(() -> assertThat(
                        Stream.of(names).filter(name -> feeds.readings(name) > before.getOrDefault(name, 0)))
                .containsExactlyInAnyOrder(names));
        feeds.awaitQuiet();
        for (String name : names) {
            assertThat(feeds.readings(name) - before.getOrDefault(name, 0))
                    .as("readings of " + name)
                    .isEqualTo(1);
        }
    }

    @Override
    public void close() {
        ever.forEach(WorkerProcess::close);
        web.close();
        proxies.values().forEach(StorageProxy::close);
        feeds.close();
        azurite.close();
    }

    private void endProcesses() {
        ever.forEach(WorkerProcess::close);
        azurite.close();
    }
}
