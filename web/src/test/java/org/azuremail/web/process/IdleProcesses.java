package org.azuremail.web.process;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.web.WebApplication;
import org.azuremail.work.DrivenWorld;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Processes with all real services of their roles in one driven world, with the settings for Azure Storage: clocks of
 * several hosts, long leases.
 */
final class IdleProcesses implements AutoCloseable {

    private final DrivenWorld world;
    private final List<ConfigurableApplicationContext> processes = new ArrayList<>();

    IdleProcesses(DrivenWorld world) {
        this.world = world;
    }

    ConfigurableApplicationContext start(String roles, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "--azuremail.roles=" + roles,
                "--azuremail.work.foreign-lease-grace=60s",
                "--azuremail.bootstrap.admin-email=ann@example.org",
                "--azuremail.bootstrap.admin-password=seven wet otters",
                "--azuremail.password.strength=4",
                "--server.port=0"));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        ConfigurableApplicationContext started = new SpringApplicationBuilder(WebApplication.class)
                .initializers(context -> world.surround((GenericApplicationContext) context))
                .run(arguments.toArray(String[]::new));
        processes.add(started);
        world.begin(started);
        return started;
    }

    @Override
    public void close() {
        processes.forEach(ConfigurableApplicationContext::close);
    }
}
