package org.azuremail.suppression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.suppression.Suppression.SuppressionReason.SUPPRESSED_BOUNCE;
import static org.azuremail.suppression.Suppression.SuppressionReason.SUPPRESSED_BY_ADMIN;
import static org.azuremail.suppression.Suppression.SuppressionReason.SUPPRESSED_COMPLAINT;
import static org.azuremail.suppression.Suppression.SuppressionReason.SUPPRESSED_SOFT_BOUNCES;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.Page;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A72: addresses to which no list may send. */
class SuppressionsTest {

    private static final EmailAddress BOB = new EmailAddress("Bob@example.org");
    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private static final ManualTime TIME = new ManualTime();

    private final SimulatedStorage storage = new SimulatedStorage(TIME, 7);
    private final Suppressions suppressions = on(storage);

    private static Suppressions on(SimulatedStorage storage) {
        return SuppressionsInTests.of(storage.storage(), TIME);
    }

    private static Instant after(int days) {
        return NOON.plus(Duration.ofDays(days));
    }

    @Test
    void anAddressIsOneHoweverItIsTyped() {
        assertThat(suppressions.suppress(BOB, SUPPRESSED_BOUNCE, NOON, "", "550 5.1.1"))
                .isTrue();
        assertThat(suppressions.suppress(BOB, SUPPRESSED_BOUNCE, NOON, "", "550 5.1.1"))
                .isFalse();
        assertThat(suppressions.findReason(new EmailAddress("bob@EXAMPLE.org"))).contains(SUPPRESSED_BOUNCE);
        assertThat(suppressions.findReason(new EmailAddress("bobby@example.org")))
                .isEmpty();
    }

    @Test
    void eventsBeforeAReleaseSuppressNobodyAgain() {
        suppressions.suppress(BOB, SUPPRESSED_COMPLAINT, NOON, "", "");
        assertThat(suppressions.release(BOB, after(2), "ann@example.org", "He asked for it."))
                .isTrue();
        assertThat(suppressions.release(BOB, after(3), "ann@example.org", "Again."))
                .isFalse();
        suppressions.suppress(BOB, SUPPRESSED_COMPLAINT, NOON, "", "");
        suppressions.suppress(BOB, SUPPRESSED_BOUNCE, after(1), "", "");
        for (int email = 0; email < 5; email++) {
            suppressions.softBounce(BOB, new MessageRef(1 + email), 1, after(1));
        }
        suppressions.softBounce(BOB, new MessageRef(9), 1, after(3));
        assertThat(suppressions.findReason(BOB)).isEmpty();
        assertThat(suppressions.find(BOB).orElseThrow().release())
                .isEqualTo(new Suppression.SuppressionAction(null, after(2), "ann@example.org", "He asked for it."));
        suppressions.suppress(BOB, SUPPRESSED_BOUNCE, after(4), "", "");
        assertThat(suppressions.findReason(BOB)).contains(SUPPRESSED_BOUNCE);
    }

    @Test
    void aChangeOfAnotherProcessInBetweenIsNotLost() {
        Suppressions other = on(storage);
        suppressions.suppress(BOB, SUPPRESSED_SOFT_BOUNCES, NOON, "", "");
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    other.release(BOB, NOON.plusSeconds(60), "ada@example.org", "He asked for it.");
                }
            }
        });

        assertThat(suppressions.suppress(BOB, SUPPRESSED_COMPLAINT, after(1), "", ""))
                .isTrue();

        assertThat(other.findReason(BOB)).contains(SUPPRESSED_COMPLAINT);
    }

    /** An admin releases an address, and the process sleeps at any call. */
    @Test
    void aComplaintThatComesMeanwhileIsNotReleasedWithTheBounce() {
        Instant complained = after(2);
        boolean reached = true;
        for (int call = 1; reached; call++) {
            SimulatedStorage fresh = new SimulatedStorage(TIME, 7);
            Suppressions here = on(fresh);
            here.suppress(BOB, SUPPRESSED_BOUNCE, NOON, "", "");
            SleepAt sleeper = new SleepAt(call, () -> {
                on(fresh).suppress(BOB, SUPPRESSED_COMPLAINT, complained, "", "");
            });
            fresh.hook(sleeper);
            here.release(BOB, after(1), "ann@example.org", "He asked for it.");
            fresh.hook(CallHook.NONE);
            reached = sleeper.slept();
            // At the first call, the admin's process has read nothing yet.
            if (reached && call > 1) {
                assertThat(here.findReason(BOB)).as("at call " + call).contains(SUPPRESSED_COMPLAINT);
            }
        }
    }

    @Test
    void threeDifferentEmailsWithinThirtyDaysMakeSoftBouncesAReason() {
        suppressions.softBounce(BOB, new MessageRef(1), 1, after(0));
        suppressions.softBounce(BOB, new MessageRef(1), 1, after(0));
        suppressions.softBounce(BOB, new MessageRef(1), 1, after(2));
        suppressions.softBounce(BOB, new MessageRef(2), 1, after(31));
        suppressions.softBounce(BOB, new MessageRef(3), 1, after(32));
        assertThat(suppressions.findReason(BOB)).as("two within the time").isEmpty();
        suppressions.softBounce(BOB, new MessageRef(4), 1, after(33));
        assertThat(suppressions.findReason(BOB)).contains(SUPPRESSED_SOFT_BOUNCES);
    }

    /** Otherwise the table would keep each address that ever had a full mailbox, even after it was erased. */
    @Test
    void addressesWithNothingButOldSoftBouncesGo() {
        ManualTime time = new ManualTime();
        Suppressions here = SuppressionsInTests.of(storage.storage(), time);
        EmailAddress released = new EmailAddress("released@example.org");
        EmailAddress suppressed = new EmailAddress("suppressed@example.org");
        here.suppress(released, SUPPRESSED_BOUNCE, time.instant(), "", "");
        here.release(released, time.instant(), "ann@example.org", "");
        here.suppress(suppressed, SUPPRESSED_BOUNCE, time.instant(), "", "");
        here.softBounce(suppressed, new MessageRef(1), 1, time.instant());
        here.softBounce(BOB, new MessageRef(1), 1, time.instant());

        time.advance(Duration.ofDays(29));
        here.removeOldSoftBounces();
        assertThat(here.find(BOB)).isPresent();

        time.advance(Duration.ofDays(2));
        here.removeOldSoftBounces();
        assertThat(here.find(BOB)).isEmpty();
        assertThat(here.find(released)).isPresent();
        assertThat(here.findReason(suppressed)).contains(SUPPRESSED_BOUNCE);
    }

    @Test
    void eventsInAnyOrderAndTwiceEndAlike() {
        List<Consumer<Suppressions>> events = new ArrayList<>(List.of(
                one -> one.suppress(BOB, SUPPRESSED_BOUNCE, after(3), "", "550"),
                one -> one.suppress(BOB, SUPPRESSED_COMPLAINT, after(5), "", ""),
                one -> one.suppress(BOB, SUPPRESSED_COMPLAINT, after(4), "", ""),
                one -> one.softBounce(BOB, new MessageRef(1), 1, after(0)),
                one -> one.softBounce(BOB, new MessageRef(2), 1, after(1)),
                one -> one.softBounce(BOB, new MessageRef(3), 1, after(2))));
        events.addAll(events);
        List<Suppression> ends = new ArrayList<>();
        for (int seed = 0; seed < 50; seed++) {
            Collections.shuffle(events, new Random(seed));
            Suppressions fresh = on(new SimulatedStorage(new ManualTime(), 7));
            events.forEach(event -> event.accept(fresh));
            ends.add(fresh.find(BOB).orElseThrow());
        }
        assertThat(new java.util.HashSet<>(ends)).hasSize(1);
        assertThat(ends.get(0).since())
                .isEqualTo(new Suppression.SuppressionAction(SUPPRESSED_COMPLAINT, after(4), "", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 16, 48})
    void aWalkMeetsExactlyTheSuppressedAddressesOfItsShard(int shards) {
        for (int size : new int[] {10, 1500}) {
            IntStream.range(0, size)
                    .forEach(i -> suppressions.suppress(address(2 * i), SUPPRESSED_BY_ADMIN, NOON, "a", ""));
            TreeSet<String> all = new TreeSet<>();
            IntStream.range(0, 2 * size).forEach(i -> all.add(address(i).value()));
            List<Suppressions.SuppressionLookup> walks = IntStream.range(0, shards)
                    .mapToObj(shard -> suppressions.lookup(shard, shards))
                    .toList();
            for (String one : all) {
                EmailAddress address = new EmailAddress(one);
                boolean even = Integer.parseInt(one.substring(1, 6)) % 2 == 0;
                assertThat(walks.get(shardOf(address, shards))
                                .findReason(address)
                                .isPresent())
                        .as(one)
                        .isEqualTo(even);
            }
        }
    }

    @Test
    void thoseAmongSomeAddressesAreFoundInAnyOrder() {
        for (int size : new int[] {10, 1500}) {
            IntStream.range(0, size)
                    .forEach(i -> suppressions.suppress(address(2 * i), SUPPRESSED_BY_ADMIN, NOON, "a", ""));
            List<EmailAddress> asked = List.of(address(18), address(3), address(0), address(11), address(4));
            assertThat(suppressions.among(asked)).containsExactlyInAnyOrder(address(18), address(0), address(4));
        }
        assertThat(suppressions.among(List.of())).isEmpty();
    }

    @Test
    void walksShareOneReadingOfASmallTableForFiveSeconds() {
        SimulatedStorage shared = new SimulatedStorage(TIME);
        Suppressions here = on(shared);
        assertThat(whyInAWalk(here)).isEmpty();
        on(shared).suppress(BOB, SUPPRESSED_BOUNCE, NOON, "", "");
        long before = shared.calls();
        IntStream.range(0, 20).forEach(walk -> whyInAWalk(here));
        assertThat(shared.calls()).isEqualTo(before);

        TIME.advance(Duration.ofSeconds(5));
        assertThat(whyInAWalk(here)).contains(SUPPRESSED_BOUNCE);
        assertThat(shared.calls()).isEqualTo(before + 1);
    }

    @Test
    void aWalkSeesAtOnceWhatThisProcessChanged() {
        assertThat(whyInAWalk(suppressions)).isEmpty();
        suppressions.suppress(BOB, SUPPRESSED_BOUNCE, NOON, "", "");
        assertThat(whyInAWalk(suppressions)).contains(SUPPRESSED_BOUNCE);
        suppressions.release(BOB, after(1), "ann@example.org", "");
        assertThat(whyInAWalk(suppressions)).isEmpty();
    }

    private static Optional<SuppressionReason> whyInAWalk(Suppressions asked) {
        return asked.lookup(0, 1).findReason(BOB);
    }

    @Test
    void pagesHoldEveryAddressOnceInOrder() {
        IntStream.range(0, 120).forEach(i -> suppressions.suppress(address(i), SUPPRESSED_BOUNCE, NOON, "", ""));
        List<String> found = new ArrayList<>();
        String after = null;
        do {
            Page<Suppression> page = suppressions.page("A", after, 7, Suppression::active);
            page.items().forEach(one -> found.add(one.address().value()));
            after = page.continuation();
        } while (after != null);
        assertThat(found)
                .isEqualTo(IntStream.range(0, 120)
                        .mapToObj(i -> address(i).value())
                        .toList());
        assertThat(suppressions.page("a0011", null, 50, one -> true).items()).hasSize(10);
        assertThat(Stream.of("b", "%", "_")
                        .flatMap(other -> suppressions.page(other, null, 50, one -> true).items().stream()))
                .isEmpty();
    }

    @Test
    void aPageFullOfAddressesOfOnePartitionIsNotTheLast() {
        int partition = shardOf(address(0), Suppressions.PARTITIONS);
        IntStream.range(0, 200)
                .mapToObj(SuppressionsTest::address)
                .filter(one -> shardOf(one, Suppressions.PARTITIONS) == partition)
                .limit(3)
                .forEach(one -> suppressions.suppress(one, SUPPRESSED_BOUNCE, NOON, "", ""));

        Page<Suppression> page = suppressions.page("", null, 2, one -> true);

        assertThat(page.items()).hasSize(2);
        assertThat(suppressions.page("", page.continuation(), 2, one -> true).items())
                .hasSize(1);
    }

    private static EmailAddress address(int number) {
        return new EmailAddress("a%05d@example.org".formatted(number));
    }

    private static int shardOf(EmailAddress address, int shards) {
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(address.folded().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return (int) (crc.getValue() % shards);
    }
}
