package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.id.SeededIds;
import org.azuremail.journal.Journal;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.limit.TokenSource;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.time.ManualTime;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.queue.DeadLetter;
import org.jspecify.annotations.Nullable;

/** The parts that outlive every simulated process: storage, clock and the provider's own record. Limits are small. */
final class SimulatedWorld {

    static final DeliveryLimits SMALL = new DeliveryLimits(
            5,
            7,
            6,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(60));

    private static final int SHARDS = 2;

    final ManualTime time;
    final SimulatedStorage storage;
    final SeededIds ids;
    final RecordingTransport transport;

    /** The transport that replaces the first one if it fails, from the next restart on. */
    @Nullable
    RecordingTransport second;

    /** The rate limit from the next restart on. */
    TokenSource rate = mails -> RateLimitWait.NONE;

    /** The limits of the transports from the next restart on, if they differ from {@link #rate}. */
    SimulatedProcess.@Nullable Limited limited;

    /** Tests whether the next process knows that the process of an attempt has ended. */
    Predicate<String> gone = nobodyKnows -> false;

    /** The journal of the next process. */
    Journal journal = Journal.NONE;

    /** The transport of the next process, if not {@link #transport}. */
    @Nullable
    MailTransport provider;

    /** The mail classes of the next process. */
    MailClasses classes = ClassSettings.classes();

    SimulatedProcess process;

    /** The attributes of subscribers who are added. */
    Map<String, String> attributes = Map.of();

    private int starts;

    SimulatedWorld() {
        this(4);
    }

    SimulatedWorld(int lotSize) {
        time = ManualTime.thatSleepsByItself();
        storage = new SimulatedStorage(time.unshifted(), 7);
        ids = new SeededIds(42);
        transport = new RecordingTransport(lotSize);
        process = restart();
    }

    private SimulatedWorld(SimulatedWorld before, SimulatedStorage storage) {
        this.time = before.time;
        this.storage = storage;
        this.ids = before.ids;
        this.transport = before.transport;
        process = restart();
    }

    /** Returns the same world with another storage. The clock and the provider's record continue. */
    SimulatedWorld with(SimulatedStorage restored) {
        return new SimulatedWorld(this, restored);
    }

    /** Starts a new process on the storage of the old one. */
    SimulatedProcess restart() {
        return restart(Faults.none());
    }

    /** Starts a new process whose storage calls may go wrong. */
    SimulatedProcess restart(Faults faults) {
        MailTransport first = provider == null ? transport : provider;
        List<MailTransport> order = second == null ? List.of(first) : List.of(first, second);
        SimulatedProcess.Limited max =
                limited == null ? new SimulatedProcess.Limited(rate, rate, WhenFull.WAIT) : limited;
        process = new SimulatedProcess(
                faults.around(storage.storage()), time, ids, SMALL, order, max, journal, holders(), classes);
        return process;
    }

    /** Returns the holders of the next process, whose name is the part before the dot. */
    private Holders holders() {
        Predicate<String> ended = gone;
        String name = "process" + ++starts;
        return new Holders() {
            @Override
            public String next() {
                return name + "." + ids.token();
            }

            @Override
            public boolean isDead(String holder) {
                return ended.test(holder);
            }

            @Override
            public boolean detectsDeadHolders() {
                return true;
            }
        };
    }

    /** Returns whether the fan-out has recorded the recipient, in an email row or an outcome. */
    boolean isCounted(MessageRef ref, String address) {
        String row = Recipient.rowKey(new EmailAddress(address));
        return java.util.stream.Stream.of(MessageStore.MESSAGE, MessageStore.ARCHIVE)
                .flatMap(table -> Rows.all(storage.tables(), table, KeyRange.partitions("mail.", "mail/")).stream())
                .anyMatch(found ->
                        found.rowKey().equals(row) && found.key().partition().endsWith(ref.padded()));
    }

    /** Returns whether a lot is being handed over, according to the control rows. */
    boolean anyHanding() {
        return Rows.all(storage.tables(), MessageStore.MESSAGE, KeyRange.everything()).stream()
                .anyMatch(row -> "HANDING".equals(row.values().string("State")));
    }

    ListName list(String name, int verified, int unverified) {
        return list(name, SHARDS, verified, unverified);
    }

    ListName list(String name, int shards, int verified, int unverified) {
        ListName list = new ListName(name);
        Mailbox from = new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso");
        process.lists.create(Lists.with(
                MailingList.of(list, "Announcements", from, OptIn.DOUBLE, time.instant()), "shards", shards));
        IntStream.range(0, verified).forEach(i -> subscriber(list, "v%02d@%s.test".formatted(i, name), true));
        IntStream.range(0, unverified).forEach(i -> subscriber(list, "u%02d@%s.test".formatted(i, name), false));
        return list;
    }

    void subscriber(ListName list, String address, boolean verified) {
        process.feature
                .subscriptions()
                .adminAdd(
                        list,
                        EmailAddress.parse(address).orElseThrow(),
                        new Profile("", attributes),
                        verified,
                        Origin.admin("test"));
    }

    /** Unsubscribes a person by the link in an email. */
    void leave(ListName list, String address) {
        process.feature.subscriptions().leave(list, EmailAddress.parse(address).orElseThrow(), Origin.link(null));
    }

    /** The subject of messages that are created from now on. */
    String subject = "News for {{name|you}}";

    MessageRef message(ListName list, OnUnknown onUnknown) {
        return message(list, onUnknown, time.instant());
    }

    MessageRef message(ListName list, OnUnknown onUnknown, Instant due) {
        return message(Audience.of(list), onUnknown, due);
    }

    MessageRef message(Audience audience, OnUnknown onUnknown, Instant due) {
        return message(audience, onUnknown, due, null);
    }

    /** @param mailClass the label of the message's class, or null for the class of the list's plan */
    MessageRef message(Audience audience, OnUnknown onUnknown, Instant due, @Nullable String mailClass) {
        Messages.MessageCreateResult creation = process.messages.create(new Messages.NewMessage(
                audience,
                Draft.of(subject, "<html><body><p>Hello</p></body></html>", null),
                new Schedule(due, ZoneOffset.UTC),
                onUnknown,
                mailClass,
                "test",
                false,
                false));
        assertThat(creation).isInstanceOf(Messages.MessageCreateResult.Created.class);
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    Message find(MessageRef ref) {
        return process.messages.find(ref).orElseThrow();
    }

    /** Takes turns until no message is active, in bounded driven time. */
    void runToEnd() {
        for (int turn = 0; turn < 200 && !process.messageStore.active().isEmpty(); turn++) {
            process.turn();
            time.advance(Duration.ofSeconds(10));
        }
        assertThat(process.messageStore.active())
                .as("messages that are not final")
                .isEmpty();
    }

    /** Returns the recorded outcome of each recipient, by address. */
    Map<String, Outcome> outcomes(MessageRef ref) {
        Map<String, Outcome> outcomes = new TreeMap<>();
        String continuation = null;
        do {
            Page<RecordedOutcome> page = process.control.outcomes(find(ref), 3, continuation);
            for (RecordedOutcome recorded : page.items()) {
                outcomes.put(recorded.recipient().address().value(), recorded.outcome());
            }
            continuation = page.continuation();
        } while (continuation != null);
        return outcomes;
    }

    /** Returns the provider's id or the reason from the archive. */
    String detail(MessageRef ref, String address) {
        return process.search
                .search(find(ref), new EmailAddress(address))
                .recorded()
                .orElseThrow()
                .detailText();
    }

    /** Returns which of several transports took the recipient's mail, according to the archive. */
    @Nullable
    String transportOf(MessageRef ref, String address) {
        return process.search
                .search(find(ref), new EmailAddress(address))
                .recorded()
                .orElseThrow()
                .transport();
    }

    List<DeadLetter> deadLetters() {
        List<DeadLetter> letters = new ArrayList<>();
        String continuation = null;
        do {
            Page<DeadLetter> page = process.deadLetters.page(10, continuation);
            letters.addAll(page.items());
            continuation = page.continuation();
        } while (continuation != null);
        return letters;
    }

    List<Row> messageRows() {
        List<Row> rows = new ArrayList<>(Rows.all(storage.tables(), MessageStore.MESSAGE, KeyRange.everything()));
        rows.removeIf(
                row -> row.rowKey().startsWith("!") || row.key().partition().equals(".ref"));
        return rows;
    }

    /** Checks I1 and I3: each expected recipient has exactly one outcome, and the counts agree. */
    void assertAccounted(MessageRef ref, List<String> recipients) {
        Message message = find(ref);
        Map<String, Outcome> outcomes = outcomes(ref);
        assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(recipients);
        assertThat(message.result().recipients()).isEqualTo(recipients.size());
        assertThat(message.result().counts().sent()).isEqualTo(count(outcomes, Outcome.SENT));
        assertThat(message.result().counts().failed()).isEqualTo(count(outcomes, Outcome.FAILED));
        assertThat(message.result().counts().skipped()).isEqualTo(count(outcomes, Outcome.SKIPPED));
        assertThat(message.result().counts().unknown()).isEqualTo(count(outcomes, Outcome.UNKNOWN));
    }

    static long count(Map<String, Outcome> outcomes, Outcome wanted) {
        return outcomes.values().stream().filter(wanted::equals).count();
    }

    static List<String> verified(String list, int n) {
        return IntStream.range(0, n)
                .mapToObj(i -> "v%02d@%s.test".formatted(i, list))
                .toList();
    }
}
