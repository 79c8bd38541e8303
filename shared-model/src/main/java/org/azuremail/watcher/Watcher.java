package org.azuremail.watcher;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * One endless task. Immutable; every change returns a copy.
 *
 * @param name its id: an admin chooses it, and it never changes
 * @param kind name of the {@link WatcherKind} that takes its turns
 * @param settings the settings of the kind, by name
 * @param secrets the encrypted settings, which are never shown
 * @param modifyAt when its state last changed
 * @param serviceId the process that it is placed on; empty while it waits for a free slot
 * @param placedAt since when it is on that process; {@code null} while it is on none, and when an earlier version
 *     placed it
 * @param progress the result of its turns so far
 */
public record Watcher(
        String name,
        String kind,
        Map<String, String> settings,
        Map<String, String> secrets,
        Instant createdAt,
        Instant modifyAt,
        WatcherStatus status,
        String serviceId,
        @Nullable Instant placedAt,
        Progress progress) {

    /** The form of a name, which is shown when a name is refused. */
    public static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,49}");

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<Map<String, String>> SETTINGS = new TypeReference<>() {};

    /**
     * The progress of a watcher.
     *
     * @param state the kind's own notes from turn to turn
     * @param ranAt when the last turn ended; up to ten minutes old if nothing has changed since
     * @param dueAt when the next turn is due; up to ten minutes old if nothing has changed since
     * @param failures the number of failed turns in a row
     * @param failed whether its kind's tries are used up, so that it waits for a restart
     */
    public record Progress(
            String state,
            @Nullable Instant ranAt,
            @Nullable Instant dueAt,
            Reason result,
            int failures,
            boolean failed) {

        static final Progress NONE = new Progress("", null, null, Reason.NONE, 0, false);

        boolean hasSameReportAs(Progress other) {
            return state.equals(other.state) && result.equals(other.result);
        }

        /** Returns a copy whose next turn is due at this time, unless its tries are used up. */
        Progress dueAt(Instant now) {
            return failed ? this : new Progress(state, ranAt, now, result, failures, false);
        }

        /** Returns a copy whose tries begin anew; its notes stay. */
        Progress restarted() {
            return new Progress(state, ranAt, null, result, 0, false);
        }
    }

    public Watcher {
        settings = Map.copyOf(settings);
        secrets = Map.copyOf(secrets);
    }

    static Watcher created(
            String name, String kind, Map<String, String> settings, Map<String, String> secrets, Instant now) {
        return new Watcher(name, kind, settings, secrets, now, now, WatcherStatus.CREATED, "", null, Progress.NONE);
    }

    /**
     * Returns a version of the settings. A caller that changes settings may pass the version that it read. The results
     * of turns do not change it.
     */
    public String version() {
        String all = createdAt
                + JSON.writeValueAsString(new TreeMap<>(settings))
                + JSON.writeValueAsString(new TreeMap<>(secrets));
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    }

    boolean needsSlot() {
        return status.runs() && !progress.failed();
    }

    /** Returns whether its tries are used up, so that it waits for a restart. */
    public boolean failed() {
        return status.runs() && progress.failed();
    }

    /** Returns whether its last turn had trouble. The watcher may continue by itself. */
    boolean troubled() {
        return failed() || (status.runs() && progress.failures() > 0);
    }

    boolean heldBy(String service) {
        return serviceId.equals(service);
    }

    Watcher on(String service, Instant now) {
        Instant since = service.isEmpty() ? null : now;
        return new Watcher(name, kind, settings, secrets, createdAt, now, status, service, since, progress);
    }

    Watcher become(WatcherStatus next, Instant now) {
        return new Watcher(name, kind, settings, secrets, createdAt, now, next, serviceId, placedAt, progress);
    }

    /** Returns a copy that never runs again. */
    Watcher ended(Instant now) {
        return on("", now).become(WatcherStatus.DELETED, now);
    }

    Watcher with(Progress next) {
        return new Watcher(name, kind, settings, secrets, createdAt, modifyAt, status, serviceId, placedAt, next);
    }

    /**
     * Returns a copy with new settings, whose next turn is due now. The row says so in case its process dies, or gives
     * the watcher away, before it reads the row.
     */
    Watcher with(Map<String, String> newSettings, Map<String, String> newSecrets, Instant now) {
        return new Watcher(
                name, kind, newSettings, newSecrets, createdAt, now, status, serviceId, placedAt, progress.dueAt(now));
    }

    boolean sameSettingsAs(Watcher other) {
        return settings.equals(other.settings) && secrets.equals(other.secrets);
    }

    /** Returns a secret setting; empty when it is not set, or no key of this process decrypts it. */
    public Optional<String> secret(SecretBox box, String setting) {
        return Optional.ofNullable(secrets.get(setting)).flatMap(text -> box.open(purpose(name, setting), text));
    }

    static String purpose(String watcher, String setting) {
        return "watcher." + watcher + "." + setting;
    }

    /**
     * Reads a row. The names of kinds and processes are interned, because a process holds thousands of watchers of few
     * kinds and processes.
     */
    static Watcher from(Values v) {
        return new Watcher(
                v.requireString("Name"),
                v.requireString("Kind").intern(),
                JSON.readValue(v.string("Settings", "{}"), SETTINGS),
                JSON.readValue(v.string("Secrets", "{}"), SETTINGS),
                v.requireInstant("CreatedAt"),
                v.requireInstant("ModifyAt"),
                WatcherStatus.of(v.requireString("Status")),
                v.string("ServiceId", "").intern(),
                v.instant("PlacedAt"),
                new Progress(
                        v.string("State", ""),
                        v.instant("RanAt"),
                        v.instant("DueAt"),
                        Reason.read(v.string("Result")),
                        v.integer("Failures", 0),
                        v.bool("Failed", false)));
    }

    /** @throws IllegalArgumentException when settings or state are longer than a property may be */
    Values toValues() {
        return Values.builder()
                .put("Id", name)
                .put("Name", name)
                .put("Kind", kind)
                .put("Settings", JSON.writeValueAsString(settings))
                .put("Secrets", secrets.isEmpty() ? null : JSON.writeValueAsString(secrets))
                .put("CreatedAt", createdAt)
                .put("ModifyAt", modifyAt)
                .put("Status", status.stored())
                .put("ServiceId", serviceId.isEmpty() ? null : serviceId)
                .put("PlacedAt", placedAt)
                .put("State", progress.state().isEmpty() ? null : progress.state())
                .put("RanAt", progress.ranAt())
                .put("DueAt", progress.dueAt())
                .put(
                        "Result",
                        progress.result().none() ? null : progress.result().stored(1_000))
                .put("Failures", progress.failures() == 0 ? null : progress.failures())
                .put("Failed", progress.failed() ? true : null)
                .build();
    }
}
