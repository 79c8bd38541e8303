package org.azuremail.configuration;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.id.AsciiWord;
import org.azuremail.work.instance.InstanceFacts;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationContext;
import org.springframework.util.unit.DataSize;

/**
 * The settings of this process: those in files, variables and arguments, as typed, and the defaults of the others. Each
 * value is masked here, so that no secret leaves the process. Settings beyond {@link #MAX} characters are not
 * reported.
 */
final class EffectiveSettings implements InstanceFacts {

    /** The prefix of a setting's name among the facts of an instance. */
    static final String FACT = "set/";

    /** The most characters of settings in a heartbeat. */
    static final int MAX = 16_000;

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("azuremail");

    private final ApplicationContext context;
    private volatile @Nullable Map<String, String> known;

    EffectiveSettings(ApplicationContext context) {
        this.context = context;
    }

    /** Returns the settings, which do not change while the process runs. */
    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = known;
        if (facts == null) {
            facts = new TreeMap<>();
            int left = MAX;
            for (Map.Entry<String, String> setting : all().entrySet()) {
                String name = FACT + setting.getKey();
                left -= name.length() + setting.getValue().length() + 6;
                if (left >= 0) {
                    facts.put(name, setting.getValue());
                }
            }
            known = facts;
        }
        return facts;
    }

    /** Returns all settings by name, with secrets masked. */
    Map<String, String> all() {
        Map<String, String> all = new TreeMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(context.getEnvironment())) {
            if (source instanceof IterableConfigurationPropertySource names) {
                names.stream()
                        .filter(ROOT::isAncestorOf)
                        .forEach(name ->
                                all.computeIfAbsent(name.toString(), set -> Masking.mask(set, typed(source, name))));
            }
        }
        context.getBeansWithAnnotation(ConfigurationProperties.class)
                .values()
                .forEach(bean -> addDefaults(all, prefix(bean), bean));
        return all;
    }

    private String typed(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        Object value =
                Objects.requireNonNull(source.getConfigurationProperty(name)).getValue();
        return context.getEnvironment().resolvePlaceholders(String.valueOf(value));
    }

    private static String prefix(Object bean) {
        ConfigurationProperties annotation = bean.getClass().getAnnotation(ConfigurationProperties.class);
        return annotation == null ? "" : annotation.value() + annotation.prefix();
    }

    private static void addDefaults(Map<String, String> all, String prefix, Object settings) {
        if (!settings.getClass().isRecord() || !prefix.startsWith(ROOT.toString())) {
            return;
        }
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            add(
                    all,
                    prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()),
                    value(settings, component));
        }
    }

    private static void add(Map<String, String> all, String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> entries) {
            entries.forEach((key, one) -> add(all, name + "." + key, one));
        } else if (value instanceof Record nested && !isText(nested)) {
            addDefaults(all, name, nested);
        } else if (value != null && !all.containsKey(name) && !all.containsKey(name + "[0]")) {
            all.put(name, Masking.mask(name, text(value)));
        }
    }

    private static String text(Object value) {
        if (value instanceof Duration time) {
            return time(time);
        }
        if (value instanceof DataSize size) {
            return size(size);
        }
        if (value instanceof Enum<?> one) {
            return AsciiWord.of(one);
        }
        if (value instanceof Collection<?> many) {
            return many.stream().map(EffectiveSettings::text).sorted().collect(Collectors.joining(","));
        }
        if (value instanceof Record one) {
            Object first = value(one, one.getClass().getRecordComponents()[0]);
            return first == null ? "" : text(first);
        }
        return value.toString();
    }

    private static String size(DataSize size) {
        if (size.equals(DataSize.ofMegabytes(size.toMegabytes()))) {
            return size.toMegabytes() + "MB";
        }
        return size.equals(DataSize.ofKilobytes(size.toKilobytes())) ? size.toKilobytes() + "KB" : size.toBytes() + "B";
    }

    /** Returns a duration in the largest unit of which it is a multiple. */
    private static String time(Duration time) {
        ChronoUnit unit = Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)
                .filter(larger -> time.toMillis() != 0
                        && time.toMillis() % larger.getDuration().toMillis() == 0)
                .findFirst()
                .orElse(ChronoUnit.MILLIS);
        return DurationStyle.SIMPLE.print(time, unit);
    }

    /** Returns whether a record is written as one word, which its {@code valueOf} method parses. */
    private static boolean isText(Record value) {
        try {
            return value.getClass().getDeclaredMethod("valueOf", String.class) != null;
        } catch (NoSuchMethodException several) {
            return false;
        }
    }

    private static @Nullable Object value(Object settings, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(settings);
        } catch (ReflectiveOperationException unreadable) {
            throw new IllegalStateException("the setting " + component.getName() + " cannot be read", unreadable);
        }
    }
}
