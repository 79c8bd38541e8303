package org.azuremail.work;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings of the runtime, bound as in a process. */
public final class Settings {

    private Settings() {}

    public static WorkProperties safetyPoll(String every) {
        return of(Map.of("azuremail.work.safety-poll", every));
    }

    static WorkProperties of(Map<String, String> values) {
        Map<String, String> bound = new HashMap<>(values);
        bound.putIfAbsent("azuremail.work.max-idle", "10s");
        return new Binder(new MapConfigurationPropertySource(bound))
                .bind("azuremail.work", WorkProperties.class)
                .get();
    }
}
