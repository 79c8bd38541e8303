package org.azuremail.mailclass;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Creates mail classes from settings, bound as in a process. */
public final class ClassSettings {

    private static final Map<List<String>, MailClasses> BOUND = new ConcurrentHashMap<>();

    private ClassSettings() {}

    /** @param settings settings without the prefix, such as {@code of.low.share=50} */
    public static MailClasses classes(String... settings) {
        return BOUND.computeIfAbsent(List.of(settings), ClassSettings::bound);
    }

    private static MailClasses bound(List<String> settings) {
        Map<String, String> bound = new HashMap<>();
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            bound.put("azuremail.mail-classes." + parts[0], parts[1]);
        }
        return new MailClasses(new Binder(new MapConfigurationPropertySource(bound))
                .bindOrCreate("azuremail.mail-classes", MailClassProperties.class));
    }
}
