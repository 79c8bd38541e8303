package org.azuremail.web.browser;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.app.FreePort;
import org.azuremail.web.WebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the whole service in this process, as {@code spring-boot:run} starts it, on its own port and directory. */
final class RunningService implements AutoCloseable {

    private static final Pattern SETUP_LINK = Pattern.compile("http://\\S+/setup\\?token=\\S+");

    private final ConfigurableApplicationContext context;
    private final String url;

    private RunningService(ConfigurableApplicationContext context, String url) {
        this.context = context;
        this.url = url;
    }

    /** @param settings more settings, as arguments */
    static RunningService start(Path data, String... settings) throws IOException {
        int port = FreePort.find();
        String url = "http://localhost:" + port;
        List<String> arguments = new ArrayList<>(List.of(settings));
        arguments.add("--server.port=" + port);
        arguments.add("--azuremail.public-url=" + url);
        arguments.add("--azuremail.data-dir=" + data);
        arguments.add("--azuremail.password.strength=4");
        if (arguments.stream().noneMatch(one -> one.startsWith("--azuremail.message.undo="))) {
            arguments.add("--azuremail.message.undo=0s");
        }
        return new RunningService(
                new SpringApplicationBuilder(WebApplication.class).run(arguments.toArray(String[]::new)), url);
    }

    /** Returns the newest set-up link in the log. */
    static String setupLink(String log) {
        Matcher link = SETUP_LINK.matcher(log.substring(Math.max(0, log.lastIndexOf("Create the first account"))));
        if (!link.find()) {
            throw new AssertionError("the log shows no set-up link");
        }
        return link.group();
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        context.close();
    }
}
