package org.azuremail.web.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.app.FreePort;

/** The service as a process that can be killed and restarted on the same data. */
final class KilledService implements AutoCloseable {

    private final Path directory;
    private final List<String> settings;
    private final int port = FreePort.find();
    private WorkerProcess process;

    KilledService(Path directory, List<String> settings) throws Exception {
        this.directory = Files.createDirectories(directory.resolve("data"));
        this.settings = new ArrayList<>(settings);
        this.settings.addAll(List.of(
                "server.port=" + port,
                "azuremail.public-url=http://localhost:" + port,
                "azuremail.password.strength=4",
                "azuremail.bootstrap.admin-email=" + LocalService.ADMIN,
                "azuremail.bootstrap.admin-password=" + LocalService.PASSWORD,
                "azuremail.bootstrap.api-key=" + LocalService.KEY));
        process = start();
    }

    private WorkerProcess start() throws Exception {
        WorkerProcess started = WorkerProcess.start(AzureProcesses.WEB, directory, settings);
        try {
            started.awaitReady();
        } catch (RuntimeException | Error notReady) {
            started.close();
            throw notReady;
        }
        return started;
    }

    void killAndStartAgain() throws Exception {
        process.kill();
        process = start();
    }

    Program program() {
        return new Program("http://localhost:" + port, LocalService.KEY);
    }

    @Override
    public void close() {
        process.close();
    }
}
