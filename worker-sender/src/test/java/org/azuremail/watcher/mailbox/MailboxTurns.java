package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.feedback.BounceProcessor;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListStore;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.sending.SecretProperties;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.WatcherKind.TurnContext;
import org.azuremail.watcher.WatcherKind.TurnResult;
import org.azuremail.watcher.WatcherStatus;
import org.azuremail.work.queue.WorkQueues;

/** A watcher of a mailbox whose turns are taken by hand. */
public final class MailboxTurns implements AutoCloseable {

    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    private final SecretBox box = new SecretBox(
            new SecretProperties(Base64.getEncoder().encodeToString(new byte[32]), List.of()), null, new SeededIds(1));
    private final MailboxConnector connector;
    private final IdleMailboxes told;
    private final List<Duration> woken = new ArrayList<>();
    private Map<String, String> settings;
    private String password = MailServer.PASSWORD;
    private final Map<String, String> sealed = new HashMap<>();
    private String state = "";
    private Reason result = Reason.NONE;
    private int failures;
    private Duration rest = Duration.ZERO;

    /** @param idle how many connections may wait for new messages */
    public MailboxTurns(Map<String, String> settings, int idle, String... more) {
        this.settings = settings;
        told = new IdleMailboxes(idle);
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        connector = new MailboxConnector(properties);
    }

    public void settings(Map<String, String> newSettings) {
        settings = newSettings;
    }

    public void password(String newPassword) {
        password = newPassword;
    }

    /** Restarts the watcher as a person does after it has failed. */
    public void restarted() {
        failures = 0;
    }

    /** Takes one turn of a watcher for bounces. */
    public Reason bounces(BounceProcessor processor) throws Exception {
        return turn("one", new BounceKind(connector, told, box, processor), () -> false);
    }

    public Reason turn(WatcherKind kind) throws Exception {
        return turn("one", kind, () -> false);
    }

    public WatcherKind replies(
            EmailFinder emails,
            UnsubscribeProperties addresses,
            Subscriptions subscriptions,
            ListStore lists,
            ForwardedReplies forwarded,
            WorkQueues work,
            URI publicUrl) {
        FeedbackProperties bounces = new FeedbackProperties(null, 1, 1, 1);
        AzureMailProperties process =
                new AzureMailProperties(StorageKind.EMBEDDED, Path.of("data"), publicUrl, ZoneOffset.UTC, Set.of());
        ReplyKind.Parts parts =
                new ReplyKind.Parts(emails, addresses, bounces, subscriptions, lists, forwarded, work, process);
        return new ReplyKind(connector, told, box, parts);
    }

    /** Takes one turn of a watcher that hands the beginnings of messages to the test. */
    public Reason turn(Function<byte[], Boolean> taker) throws Exception {
        return turn("one", taking(taker), () -> false);
    }

    public Reason turn(String name, Function<byte[], Boolean> taker, TurnContext context) throws Exception {
        return turn(name, taking(taker), context);
    }

    private WatcherKind taking(Function<byte[], Boolean> taker) {
        return new MailboxKind(connector, told, box) {

            @Override
            public String name() {
                return "taking";
            }

            @Override
            Effect take(Watcher watcher, byte[] message) {
                return taker.apply(message) ? Effect.BOUNCE : Effect.NONE;
            }

            @Override
            Reason result(Map<Effect, Integer> counts) {
                return Reason.of(
                        MailboxReason.MAILBOX_BOUNCES,
                        counts.getOrDefault(Effect.BOUNCE, 0),
                        counts.getOrDefault(Effect.NONE, 0));
            }
        };
    }

    /** Returns the result of a test of the settings. */
    public Reason test(Function<byte[], Boolean> taker) throws Exception {
        WatcherKind kind = taking(taker);
        return kind.test(watcher("one", kind));
    }

    private Watcher watcher(String name, WatcherKind kind) {
        assertThat(kind.faults(settings).keySet())
                .as("faults, except that a list may be deleted after the settings were saved")
                .isSubsetOf("list");
        return new Watcher(
                name,
                kind.name(),
                settings,
                Map.of(
                        "password",
                        sealed.computeIfAbsent(
                                name + " " + password, one -> box.seal("watcher." + name + ".password", password))),
                LONG_AGO,
                LONG_AGO,
                WatcherStatus.PROCESSING,
                "s",
                null,
                new Watcher.Progress(state, null, null, result, failures, false));
    }

    Reason turn(String name, WatcherKind kind, TurnContext context) throws Exception {
        Watcher watcher = watcher(name, kind);
        TurnResult next;
        try {
            next = kind.turn(watcher, here(context));
        } catch (WatcherKind.WatcherException failed) {
            failures++;
            result = failed.reason();
            throw failed;
        }
        failures = 0;
        rest = next.rest();
        state = next.state();
        result = next.result();
        return result;
    }

    private TurnContext here(TurnContext context) {
        return new TurnContext() {
            @Override
            public boolean stopRequested() {
                return context.stopRequested();
            }

            @Override
            public void wakeIn(Duration in) {
                synchronized (woken) {
                    woken.add(in);
                }
            }
        };
    }

    public Duration rest() {
        return rest;
    }

    /** Returns the times after which the watcher requested its next turn because a server reported new messages. */
    public List<Duration> woken() {
        synchronized (woken) {
            return List.copyOf(woken);
        }
    }

    public int waiting() {
        return told.waiting();
    }

    public void leave(String name) {
        told.stopWaiting(name);
    }

    @Override
    public void close() {
        told.close();
        connector.close();
    }
}
