package org.azuremail.web.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.app.FreePort;
import org.azuremail.web.WebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The real web application in this process, set up by its settings alone. */
final class LocalService implements AutoCloseable {

    static final String ADMIN = "ann@example.org";
    static final String PASSWORD = "seven wet otters";
    static final String KEY = "key-of-the-whole-service-0123456789";

    private final ConfigurableApplicationContext context;
    private final String url;

    private LocalService(ConfigurableApplicationContext context, String url) {
        this.context = context;
        this.url = url;
    }

    /** @param settings as {@code name=value} */
    static LocalService start(Path data, String... settings) throws IOException {
        int port = FreePort.find();
        String url = "http://localhost:" + port;
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + port,
                "--azuremail.public-url=" + url,
                "--azuremail.data-dir=" + data,
                "--azuremail.password.strength=4",
                "--azuremail.bootstrap.admin-email=" + ADMIN,
                "--azuremail.bootstrap.admin-password=" + PASSWORD,
                "--azuremail.bootstrap.api-key=" + KEY));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new LocalService(
                new SpringApplicationBuilder(WebApplication.class).run(arguments.toArray(String[]::new)), url);
    }

    Program program() {
        return new Program(url, KEY);
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        context.close();
    }
}
