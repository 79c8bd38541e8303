package org.azuremail.watcher;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of watchers, and operations on their settings: checking them, testing them against the server that they
 * name, and encrypting their secrets. Safe for use from many threads.
 */
public final class WatcherKinds {

    private final Map<String, WatcherKind> kinds;
    private final SecretBox secrets;
    private final Time time;

    WatcherKinds(List<WatcherKind> kinds, SecretBox secrets, Time time) {
        this.kinds = kinds.stream().collect(Collectors.toMap(WatcherKind::name, Function.identity()));
        this.secrets = secrets;
        this.time = time;
    }

    /** Returns all kinds in order of their names. */
    public List<WatcherKind> all() {
        return kinds.values().stream()
                .sorted(Comparator.comparing(WatcherKind::name))
                .toList();
    }

    public Optional<WatcherKind> find(String name) {
        return Optional.ofNullable(kinds.get(name));
    }

    /**
     * Returns the faults of settings, by field, as {@link WatcherKind#faults} does.
     *
     * @param before the watcher whose secrets are kept for those that are not given; {@code null} for a new watcher
     */
    public Map<String, String> faults(WatcherKind kind, Map<String, String> settings, @Nullable Watcher before) {
        Map<String, String> faults = new HashMap<>(kind.faults(settings));
        Set<String> unknown = new HashSet<>(settings.keySet());
        unknown.removeAll(kind.defaults().keySet());
        unknown.removeAll(kind.secrets());
        unknown.forEach(name -> faults.put(name, "no-setting"));
        for (String secret : kind.secrets()) {
            if (!settings.getOrDefault(secret, "").isEmpty()) {
                if (!secrets.ready()) {
                    faults.putIfAbsent(secret, "secret-no-key");
                }
            } else if (before == null || !before.secrets().containsKey(secret)) {
                faults.putIfAbsent(secret, "secret-missing");
            }
        }
        return faults;
    }

    /** The result of a test: whether a watcher could read from the server, and the server's answer in words. */
    public record Tested(boolean reads, Reason answer) {}

    /**
     * Asks the server that these valid settings name, and changes nothing.
     *
     * @param before the watcher whose secrets are used for those that are not given; {@code null} for a new watcher
     */
    public Tested test(WatcherKind kind, Map<String, String> settings, @Nullable Watcher before) {
        String name = before == null ? "" : before.name();
        Map<String, String> kept = new HashMap<>(before == null ? Map.of() : before.secrets());
        kept.putAll(sealSecrets(name, kind.name(), settings));
        try {
            return new Tested(
                    true,
                    kind.test(Watcher.created(
                            name, kind.name(), withoutSecrets(kind.name(), settings), kept, time.instant())));
        } catch (WatcherKind.WatcherException failed) {
            return new Tested(false, failed.reason());
        }
    }

    /** Returns the settings without secrets. */
    Map<String, String> withoutSecrets(String kind, Map<String, String> settings) {
        Map<String, String> plain = new HashMap<>(settings);
        find(kind).ifPresent(known -> plain.keySet().removeAll(known.secrets()));
        return plain;
    }

    /** Returns the secrets among the settings, encrypted for this watcher. */
    Map<String, String> sealSecrets(String name, String kind, Map<String, String> settings) {
        Map<String, String> texts = new HashMap<>();
        find(kind).ifPresent(known -> known.secrets().forEach(secret -> {
            String value = settings.getOrDefault(secret, "");
            if (!value.isEmpty()) {
                texts.put(secret, secrets.seal(Watcher.purpose(name, secret), value));
            }
        }));
        return texts;
    }
}
