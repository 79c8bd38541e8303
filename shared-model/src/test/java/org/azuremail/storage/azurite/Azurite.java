package org.azuremail.storage.azurite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running Azurite: in memory, on loopback, on free ports. It ends when it is closed, and when this JVM ends or is
 * killed. Keep its tables small, because they slow down as they grow.
 */
public final class Azurite implements AutoCloseable {

    /** The services of an account. */
    public enum Service {
        BLOB,
        QUEUE,
        TABLE
    }

    /** The name of Azurite's only account, whose key is public. */
    public static final String ACCOUNT = "devstoreaccount1";

    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Pattern LISTENING = Pattern.compile(
            "Azurite (Blob|Queue|Table) service is successfully listening at http://127\\.0\\.0\\.1:(\\d+)");
    private static final int START_SECONDS = 60;

    private final Process process;
    private final Map<Service, Integer> ports;

    private Azurite(Process process, Map<Service, Integer> ports) {
        this.process = process;
        this.ports = Map.copyOf(ports);
    }

    private static final class Shared {
        static final Azurite INSTANCE = start();
    }

    /** Returns the instance that all tests of this JVM share. The first call starts it; tests never close it. */
    public static Azurite shared() {
        return Shared.INSTANCE;
    }

    /** Starts a separate instance for one test. */
    public static Azurite start() {
        return start("--inMemoryPersistence");
    }

    /** Starts an instance that stores its data in a directory, and uses existing data there. */
    public static Azurite in(Path location) {
        return start("--location", location.toString());
    }

    private static Azurite start(String... persistence) {
        Path directory = AzuriteInstallation.ready();
        List<String> command = new ArrayList<>(List.of("node", "run.js"));
        command.addAll(List.of(persistence));
        command.addAll(List.of("--skipApiVersionCheck", "--disableTelemetry", "--silent"));
        command.addAll(List.of("--blobPort", "0", "--queuePort", "0", "--tablePort", "0"));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            return new Azurite(process, portsOf(process));
        } catch (IOException e) {
            throw new UncheckedIOException("node is needed for Azurite (version 20 or later): " + e.getMessage(), e);
        }
    }

    /**
     * Returns the ports that the process prints. Continues to read its output until it ends, because a full pipe would
     * block it.
     */
    private static Map<Service, Integer> portsOf(Process process) {
        CompletableFuture<Map<Service, Integer>> ports = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, ports), "azurite-output");
        reader.setDaemon(true);
        reader.start();
        try {
            return ports.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException("Azurite did not start: " + e.getMessage(), e);
        }
    }

    private static void read(Process process, CompletableFuture<Map<Service, Integer>> ports) {
        Map<Service, Integer> found = new EnumMap<>(Service.class);
        List<String> printed = new ArrayList<>();
        try (BufferedReader output = process.inputReader()) {
            String line;
            while ((line = output.readLine()) != null) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    found.put(Service.valueOf(listening.group(1).toUpperCase()), Integer.valueOf(listening.group(2)));
                }
                if (!ports.isDone()) {
                    printed.add(line);
                }
                if (found.size() == Service.values().length) {
                    ports.complete(found);
                }
            }
            ports.completeExceptionally(new IOException("it ended and printed " + printed));
        } catch (IOException e) {
            ports.completeExceptionally(e);
        }
    }

    public int port(Service service) {
        return ports.getOrDefault(service, 0);
    }

    public String connectionString() {
        return connectionString(ports);
    }

    /** Returns a {@link #connectionString()} with other ports of this machine, such as those of a proxy. */
    public static String connectionString(Map<Service, Integer> ports) {
        StringBuilder text =
                new StringBuilder("DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY);
        for (Service service : Service.values()) {
            String name = service.name().charAt(0) + service.name().substring(1).toLowerCase();
            text.append(';').append(name).append("Endpoint=http://127.0.0.1:").append(ports.get(service));
            text.append('/').append(ACCOUNT);
        }
        return text.toString();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
