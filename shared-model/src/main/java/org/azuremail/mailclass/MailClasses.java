package org.azuremail.mailclass;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mail classes of this installation, as its settings define them. Labels are compared without regard to case. */
public final class MailClasses {

    private static final Logger LOG = LoggerFactory.getLogger(MailClasses.class);

    /** The most unknown labels that are logged. Labels come from outside, so their number has no limit. */
    private static final int MAX_WARNINGS = 100;

    private final MailClassProperties settings;
    private final Map<String, MailClass> byKey = new LinkedHashMap<>();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    MailClasses(MailClassProperties settings) {
        this.settings = settings;
        settings.classes().forEach(one -> byKey.put(MailClassProperties.key(one.name()), one));
    }

    /** Returns all classes, the most urgent one first. */
    public List<MailClass> all() {
        return List.copyOf(byKey.values());
    }

    /** Returns the names of all classes, for use in a sentence. */
    public String names() {
        return all().stream().map(MailClass::name).collect(Collectors.joining(", "));
    }

    /** Returns the class of confirmations and test emails. */
    public MailClass mostUrgent() {
        return all().get(0);
    }

    public MailClass byDefault() {
        return known(settings.defaultClass());
    }

    /** Returns the class with this label, which an admin has chosen; empty if the class does not exist. */
    public Optional<MailClass> find(String label) {
        return Optional.ofNullable(byKey.get(MailClassProperties.key(label)));
    }

    /**
     * Returns the class with this label. An unknown label must not cost a message, so it gets the default class, and
     * the log reports the label once.
     */
    public MailClass of(@Nullable String label) {
        return label == null || label.isBlank() ? byDefault() : find(label).orElseGet(() -> unknown(label));
    }

    private MailClass unknown(String label) {
        if (warned.size() < MAX_WARNINGS && warned.add(MailClassProperties.key(label))) {
            LOG.warn(
                    "No mail class is called {}: its messages go as {}. azuremail.mail-classes.order names the classes.",
                    label,
                    byDefault());
        }
        return byDefault();
    }

    /** Returns the class of messages to a list with this plan. */
    public MailClass forPlan(@Nullable Plan plan) {
        return plan == null ? byDefault() : known(plan == Plan.FEE_PAYING ? settings.feePaying() : settings.free());
    }

    /** Returns whether all classes share their places, in strict order. */
    public boolean strict() {
        return settings.pool() == MailClassProperties.Pool.STRICT;
    }

    /**
     * Returns the pool of a queue. If all classes share their places, it is the same for all queues, and items wait for
     * those of more urgent classes.
     */
    public String pool(String queue) {
        return strict() ? "mail" : queue;
    }

    /** Returns the longest time that a class waits while more urgent ones have work without end. */
    public Duration ageing() {
        return settings.ageing();
    }

    private MailClass known(String name) {
        return Objects.requireNonNull(byKey.get(MailClassProperties.key(name)));
    }
}
