package org.azuremail.web.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.app.FreePort;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.StorageProxy;

/**
 * A web process, two schedulers and three senders, started from their jars on their own Azurite behind a proxy, with a
 * mail provider that counts emails. All of them end with this JVM, however it ends.
 */
final class AzureProcesses implements AutoCloseable {

    static final String WEB = "web";
    static final List<String> SCHEDULERS = List.of("scheduler-1", "scheduler-2");
    static final List<String> SENDERS = List.of("sender-1", "sender-2", "sender-3");

    static final String SMTP = "relay";

    static final String SEND_GRID = "api";

    /**
     * The most lots that a sender hands over at the same time. Over SMTP, one more connection is left for
     * confirmations.
     */
    static final int LOTS_OF_A_SENDER = 2;

    /** The most emails in a request to SendGrid's API. */
    static final int BATCH = 20;

    private static final Duration PER_MAIL = Duration.ofMillis(50);

    /** Whether leases of other processes end as late as in production, where clocks differ. */
    static final boolean AS_SHIPPED = Boolean.getBoolean("azuremail.test.shipped");

    private final Path directory;
    private final Azurite azurite = Azurite.start();
    private final StorageProxy proxy = StorageProxy.to(azurite);
    private final MailCount mails = new MailCount(SENDERS.size(), PER_MAIL);
    private final int port = FreePort.find();
    private final Map<String, WorkerProcess> running = new LinkedHashMap<>();
    private final List<WorkerProcess> ever = new ArrayList<>();

    private AzureProcesses(Path directory) throws IOException {
        this.directory = directory;
    }

    /** Starts all processes and waits until each is ready. */
    static AzureProcesses start(Path directory) throws Exception {
        AzureProcesses processes = new AzureProcesses(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(processes::close));
        try {
            List<String> names = new ArrayList<>(List.of(WEB));
            names.addAll(SCHEDULERS);
            names.addAll(SENDERS);
            processes.startTogether(names);
        } catch (Exception | Error notAllReady) {
            processes.close();
            throw notAllReady;
        }
        return processes;
    }

    /** Starts these processes and waits until each is ready. */
    void startTogether(List<String> names) throws Exception {
        for (String name : names) {
            start(name, settings(name));
        }
        for (String name : names) {
            get(name).awaitReady();
        }
    }

    /** Starts a second web process and returns its address. */
    String startWeb(String name) throws Exception {
        int another = FreePort.find();
        start(name, web(another));
        get(name).awaitReady();
        return "http://localhost:" + another;
    }

    /** Ends a process, so that {@link #allRun} no longer expects it. */
    void end(String name) {
        get(name).close();
        running.remove(name);
    }

    WorkerProcess get(String name) {
        WorkerProcess process = running.get(name);
        if (process == null) {
            throw new AssertionError("there is no " + name);
        }
        return process;
    }

    /** Returns whether every process that was started and not ended is running. */
    boolean allRun() {
        return running.values().stream().allMatch(WorkerProcess::running);
    }

    /** Returns every process that was ever started, including dead ones. */
    List<WorkerProcess> ever() {
        return List.copyOf(ever);
    }

    String url() {
        return "http://localhost:" + port;
    }

    Program program() {
        return new Program(url(), LocalService.KEY);
    }

    StorageProxy proxy() {
        return proxy;
    }

    MailCount mails() {
        return mails;
    }

    private synchronized void start(String name, List<String> settings) throws IOException {
        String module =
                name.equals(WEB) || !name.contains("-") ? WEB : "worker-" + name.substring(0, name.indexOf('-'));
        WorkerProcess process =
                WorkerProcess.start(module, Files.createDirectories(directory.resolve("data")), settings);
        running.put(name, process);
        ever.add(process);
    }

    private List<String> settings(String name) {
        return name.equals(WEB) ? web(port) : common(Math.max(0, SENDERS.indexOf(name)));
    }

    private List<String> web(int webPort) {
        List<String> settings = common(0);
        settings.addAll(List.of(
                "azuremail.roles=web",
                "server.port=" + webPort,
                "azuremail.password.strength=4",
                "azuremail.bootstrap.admin-email=" + LocalService.ADMIN,
                "azuremail.bootstrap.admin-password=" + LocalService.PASSWORD,
                "azuremail.bootstrap.api-key=" + LocalService.KEY));
        return settings;
    }

    /**
     * Returns the settings of all processes. The clocks of one machine do not differ, so the grace is only the time
     * that reading them takes, unless the shipped settings apply.
     */
    private List<String> common(int door) {
        List<String> settings = transports(door);
        settings.addAll(List.of(
                "azuremail.storage=azure",
                "azuremail.azure.connection-string=" + proxy.connectionString(),
                "azuremail.public-url=" + url(),
                "azuremail.work.concurrency.azuremailqueue=" + LOTS_OF_A_SENDER,
                "azuremail.work.signals.bind=127.0.0.1"));
        if (!AS_SHIPPED) {
            settings.add("azuremail.work.foreign-lease-grace=2s");
        }
        return settings;
    }

    private List<String> transports(int door) {
        String smtp = "azuremail.mail.transports." + SMTP;
        String sendGrid = "azuremail.mail.transports." + SEND_GRID;
        return new ArrayList<>(List.of(
                "azuremail.mail.order=" + SMTP + "," + SEND_GRID,
                smtp + ".kind=smtp",
                smtp + ".rate=0",
                smtp + ".smtp.host=localhost",
                smtp + ".smtp.port=" + mails.port(door),
                smtp + ".smtp.starttls=false",
                smtp + ".smtp.connections=" + (LOTS_OF_A_SENDER + 1),
                sendGrid + ".kind=sendgrid",
                sendGrid + ".sendgrid.endpoint=" + mails.endpoint(door),
                sendGrid + ".sendgrid.api-key=key",
                sendGrid + ".sendgrid.batch-size=" + BATCH));
    }

    @Override
    public synchronized void close() {
        ever.forEach(WorkerProcess::close);
        mails.close();
        proxy.close();
        azurite.close();
    }
}
