package org.azuremail.web.sending;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKinds;
import org.azuremail.reason.Reason;
import org.azuremail.route.Breakers;
import org.azuremail.sending.SecretBox;
import org.azuremail.sending.SettingField;
import org.azuremail.sending.SettingField.Type;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.sending.TransportHistory;
import org.azuremail.sending.TransportHistory.EventKind;
import org.azuremail.sending.TransportOpener;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Adds, changes, orders and removes transports, for pages and the API. Every process follows the changes within
 * seconds.
 */
@Component
public record TransportChanges(
        TransportDirectory transports,
        TransportKinds kinds,
        TransportOpener opener,
        SecretBox secrets,
        RateLimits limits,
        Breakers breakers,
        WaitingRanges waiting,
        ListStore lists,
        TransportHistory history,
        Storage storage,
        Time time) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");
    private static final int MAX_LENGTH = 1000;

    /**
     * A transport as an admin or a caller wants it.
     *
     * @param settings the settings by name, with secrets in clear text; an empty secret keeps the stored one
     */
    public record Wanted(String name, String kind, Map<String, String> settings, WhenFull whenFull) {

        /** Omits the settings, because they include secrets. */
        @Override
        public String toString() {
            return "Wanted[" + name + ", " + kind + "]";
        }
    }

    /**
     * A fault of a transport.
     *
     * @param setting the name of the setting; empty for the whole transport, {@code name} for its name
     * @param code the code of its text {@code error.sending.<code>}
     */
    public record Problem(String setting, String code) {}

    public sealed interface Saving {

        record Saved(String name) implements Saving {}

        record Refused(List<Problem> problems) implements Saving {}

        /** The transport was changed or removed in the meantime. */
        record Conflict() implements Saving {}
    }

    public enum Move {
        UP,
        DOWN,
        /** Adds it to the order, after the transports that are in use. */
        USE,
        LEAVE_OUT
    }

    /** Adds a transport, which sends no emails until an admin puts it into the order. */
    public Saving add(Wanted wanted, Limits initialLimits, String by) {
        List<Problem> problems = new ArrayList<>();
        Snapshot now = transports.refresh();
        if (!NAME.matcher(wanted.name()).matches()) {
            problems.add(new Problem("name", wanted.name().isEmpty() ? "name-missing" : "name"));
        } else if (now.find(wanted.name()).isPresent()) {
            problems.add(new Problem("name", "name-taken"));
        } else if (now.added().size() >= TransportDirectory.MAX_TRANSPORTS) {
            problems.add(new Problem("name", "too-many"));
        }
        Optional<StoredTransport> made = made(wanted, null, by, problems);
        if (made.isEmpty()) {
            return new Saving.Refused(problems);
        }
        RateLimit limit = new RateLimit(storage, time, wanted.name(), initialLimits);
        Limits left = limit.limits();
        // This check follows the read of the limits, which may belong to a transport that another admin has just added.
        if (transports.refresh().find(wanted.name()).isEmpty()) {
            limit.change(left, initialLimits);
        }
        if (!transports.save(made.get(), null)) {
            return new Saving.Refused(List.of(new Problem("name", "name-taken")));
        }
        breakers.of(wanted.name()).close();
        history.note(wanted.name(), EventKind.ADDED, by, Reason.NONE);
        return new Saving.Saved(wanted.name());
    }

    /** Changes a transport that was added. Everything that waits for it tries it at once. */
    public Saving change(Wanted wanted, String etag, String by) {
        Versioned<StoredTransport> stored = transports.refresh().added().get(wanted.name());
        if (stored == null || !stored.etag().equals(etag)) {
            return new Saving.Conflict();
        }
        List<Problem> problems = new ArrayList<>();
        Optional<StoredTransport> made = made(wanted, stored.value(), by, problems);
        if (made.isEmpty()) {
            return new Saving.Refused(problems);
        }
        if (!transports.save(made.get(), etag)) {
            return new Saving.Conflict();
        }
        history.note(wanted.name(), EventKind.CHANGED, by, Reason.NONE);
        retryNow(wanted.name());
        return new Saving.Saved(wanted.name());
    }

    private Optional<StoredTransport> made(
            Wanted wanted, @Nullable StoredTransport before, String by, List<Problem> problems) {
        Optional<TransportKind<?>> kind = kinds.find(wanted.kind());
        if (kind.isEmpty() || (before != null && !before.kind().equals(wanted.kind()))) {
            problems.add(new Problem("", "kind"));
            return Optional.empty();
        }
        List<SettingField> fields = SettingField.of(kind.get());
        Map<String, String> open = new HashMap<>();
        Map<String, String> kept = new HashMap<>();
        for (SettingField field : fields) {
            String typed = wanted.settings().getOrDefault(field.name(), "");
            String value = field.type() == Type.SECRET ? typed : typed.strip();
            String stored = before == null ? null : before.secrets().get(field.name());
            if (value.length() > MAX_LENGTH) {
                problems.add(new Problem(field.name(), "too-long"));
            } else if (!MailingList.isText(value)) {
                problems.add(new Problem(field.name(), "value"));
            } else if (!value.isEmpty()) {
                open.put(field.name(), value);
            } else if (field.type() == Type.SECRET && stored != null) {
                kept.put(field.name(), stored);
            }
        }
        wanted.settings().keySet().stream()
                .filter(name -> fields.stream().noneMatch(field -> field.name().equals(name)))
                .forEach(unknown -> problems.add(new Problem(unknown, "unknown")));
        checkBound(kind.get(), wanted.name(), open, kept, problems);
        boolean anySecret =
                fields.stream().anyMatch(field -> field.type() == Type.SECRET && open.containsKey(field.name()));
        if (anySecret && !secrets.ready()) {
            problems.add(new Problem("", "no-key"));
        }
        return problems.isEmpty() ? Optional.of(stored(wanted, fields, open, kept, by)) : Optional.empty();
    }

    /**
     * Checks the settings as they would be stored. A kept secret is checked as if it were typed; an unreadable one
     * counts as present.
     */
    private void checkBound(
            TransportKind<?> kind,
            String name,
            Map<String, String> open,
            Map<String, String> kept,
            List<Problem> problems) {
        Map<String, String> all = new HashMap<>(open);
        kept.forEach((setting, stored) -> all.put(
                setting,
                secrets.open(StoredTransport.purpose(name, setting), stored).orElse("unreadable")));
        for (String setting : opener.findInvalidSettings(kind, all)) {
            boolean missing = !setting.isEmpty() && !all.containsKey(setting);
            if (problems.stream().noneMatch(problem -> problem.setting().equals(setting))) {
                problems.add(new Problem(setting, missing ? "missing" : "value"));
            }
        }
    }

    private StoredTransport stored(
            Wanted wanted, List<SettingField> fields, Map<String, String> open, Map<String, String> kept, String by) {
        Map<String, String> settings = new HashMap<>();
        Map<String, String> sealedOnes = new HashMap<>(kept);
        for (SettingField field : fields) {
            String value = open.get(field.name());
            if (value != null && field.type() == Type.SECRET) {
                sealedOnes.put(field.name(), secrets.seal(StoredTransport.purpose(wanted.name(), field.name()), value));
            } else if (value != null) {
                settings.put(field.name(), value);
            }
        }
        return new StoredTransport(
                wanted.name(), wanted.kind(), settings, sealedOnes, wanted.whenFull(), time.instant(), by);
    }

    public List<MailingList> listsOf(String name) {
        return lists.all().stream()
                .filter(list -> name.equals(list.transport()))
                .toList();
    }

    /**
     * Removes an added transport. Lots in progress finish with it; waiting emails use the other transports.
     *
     * @return false if it was changed in the meantime
     */
    public boolean remove(String name, String etag, String by) {
        if (!transports.remove(name, etag)) {
            return false;
        }
        RateLimit.forget(
                storage.tables(), name, () -> transports.refresh().find(name).isPresent());
        history.note(name, EventKind.REMOVED, by, Reason.NONE);
        waiting.resume();
        return true;
    }

    /** Returns whether this is the only transport in use that an admin chose. */
    public boolean lastInUse(String name) {
        return !transports.outboxByDefault() && transports.refresh().order().equals(List.of(name));
    }

    /**
     * Moves a transport within the order.
     *
     * @param before the order that the page showed
     * @return false if the order has changed in the meantime, or would become empty
     */
    public boolean move(String name, Move move, List<String> before, String by) {
        List<String> order = new ArrayList<>(before);
        Optional<Configured> moved = transports.refresh().find(name);
        int place = order.indexOf(name);
        int to = move == Move.UP ? place - 1 : place + 1;
        if (moved.isEmpty()) {
            return false;
        }
        if (move == Move.USE) {
            order.remove(name);
            order.add(name);
            if (transports.outboxByDefault()) {
                order.removeIf(other -> transports.fixed(other));
            }
        } else if (place < 0 || (move == Move.LEAVE_OUT && lastInUse(name))) {
            return false;
        } else if (move == Move.LEAVE_OUT) {
            order.remove(name);
        } else if (to >= 0 && to < order.size()) {
            Collections.swap(order, place, to);
        }
        if (!transports.reorder(before, order)) {
            return false;
        }
        EventKind kind =
                move == Move.USE ? EventKind.USED : move == Move.LEAVE_OUT ? EventKind.LEFT_OUT : EventKind.MOVED;
        history.note(name, kind, by, Reason.NONE);
        waiting.resume();
        return true;
    }

    /**
     * Sets the whole order.
     *
     * @param before the order as it was read
     * @return false if the order has changed in the meantime
     */
    public boolean order(List<String> order, List<String> before, String by) {
        if (!transports.reorder(before, order)) {
            return false;
        }
        order.forEach(name -> history.note(name, EventKind.MOVED, by, Reason.NONE));
        waiting.resume();
        return true;
    }

    /**
     * Changes the limits of a transport.
     *
     * @param shown the limits as they were read
     * @return false if the limits have changed in the meantime
     */
    public boolean limit(String name, Limits shown, Limits changed, String by) {
        boolean saved = limits.of(name).change(shown, changed);
        if (saved) {
            history.note(name, EventKind.LIMITS, by, Reason.NONE);
            waiting.resume();
        }
        return saved;
    }

    /** Closes the breaker of a repaired transport, so that everything that waits tries it at once. */
    public void retryNow(String name) {
        breakers.of(name).close();
        waiting.resume();
    }
}
