package org.azuremail.configuration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/** Tells where this process found its settings. */
public record SettingSources(Environment environment) {

    private static final Pattern FILE = Pattern.compile("Config resource '(file|class path resource) \\[(.*?)].*");

    /** The kinds of sources. Their words are {@code general.source.<name>}. */
    public enum Kind {
        COMMAND_LINE,
        SYSTEM_PROPERTY,
        ENVIRONMENT,
        FILE,
        /** The setting has the default of the product. */
        DEFAULT
    }

    /** @param place the path of the file; empty for other kinds */
    public record Source(Kind kind, String place) {}

    /**
     * Returns the source of a setting.
     *
     * @param setting the name of a setting, with hyphens; a key of a map may have any characters
     */
    public Source of(String setting) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(setting, '.');
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(name) != null
                    || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
                return source(source.getUnderlyingSource() instanceof PropertySource<?> found ? found.getName() : "");
            }
        }
        return new Source(Kind.DEFAULT, "");
    }

    private static Source source(String propertySource) {
        Matcher file = FILE.matcher(propertySource);
        if (file.matches()) {
            return file.group(1).equals("file") ? new Source(Kind.FILE, file.group(2)) : new Source(Kind.DEFAULT, "");
        }
        return switch (propertySource) {
            case "commandLineArgs" -> new Source(Kind.COMMAND_LINE, "");
            case "systemProperties" -> new Source(Kind.SYSTEM_PROPERTY, "");
            default -> new Source(Kind.ENVIRONMENT, "");
        };
    }
}
