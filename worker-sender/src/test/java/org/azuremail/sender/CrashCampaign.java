package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.list.ListName;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.jspecify.annotations.Nullable;

/**
 * A campaign of two messages, with an unsubscription and a pause in the middle, some of whose calls go wrong. In the
 * end, I1 to I4 and I7 hold by the provider's own record.
 */
final class CrashCampaign {

    private static final int FIRST = 13;
    private static final int SECOND = 5;
    private static final String LEAVER = "v03@first.test";
    private static final String ON_BOTH = "v07@first.test";
    private static final int ALSO = 4;
    private static final String BEGINS = "begins";
    private static final List<String> EARLIER = List.of("v00@first.test", "v01@first.test", "v08@first.test");

    private final SimulatedWorld world = new SimulatedWorld();
    private final OnUnknown onUnknown;
    private Faults faults;

    /** The faults of the process after the first death. */
    private Faults then = Faults.none();

    private Faults thirdly = Faults.none();

    private @Nullable Integer lotsAfterDeath;
    private @Nullable OnUnknown onUnknownAfterDeath;
    private int deaths;
    private boolean handingAtDeath;
    private MessageRef first;
    private MessageRef second;
    private int takenWhenLeft;
    private boolean countedWhenLeft;
    private boolean several;
    private boolean toASegment;
    private Duration clockCorrected = Duration.ZERO;
    private int correctedAt;

    CrashCampaign(Faults faults, OnUnknown onUnknown) {
        this.faults = faults;
        this.onUnknown = onUnknown;
    }

    CrashCampaign withFault(Mode mode, long call) {
        faults = new Faults(mode, call, this::noteDeath);
        return this;
    }

    CrashCampaign withSecondFault(Mode mode, long call) {
        then = new Faults(mode, call, this::noteDeath);
        return this;
    }

    CrashCampaign withThirdFault(Mode mode, long call) {
        thirdly = new Faults(mode, call, this::noteDeath);
        return this;
    }

    /** Sends the first message to a second list, too. Two people are on both lists, one of whom unsubscribes. */
    CrashCampaign toSeveralLists() {
        several = true;
        return this;
    }

    /**
     * Sends the first message to a segment that refers to another segment and to an earlier message. The other segment
     * changes as soon as the message has begun.
     */
    CrashCampaign toASegment() {
        toASegment = true;
        return this;
    }

    /** Returns the number of calls of the process after the first death. */
    long callsOfTheSecond() {
        return then.calls();
    }

    /** Returns whether a lot was being handed over when a process died. */
    boolean diedInHanding() {
        return handingAtDeath;
    }

    /** Changes the lot size after the first death. */
    CrashCampaign withLotsAfterDeath(int lotSize) {
        lotsAfterDeath = lotSize;
        return this;
    }

    /** Changes the setting for emails in doubt after the first death, before another process takes over. */
    CrashCampaign withOnUnknownAfterDeath(OnUnknown other) {
        onUnknownAfterDeath = other;
        return this;
    }

    /** Lets processes know at once of earlier deaths, as on the embedded storage. */
    CrashCampaign knowingTheDead() {
        world.gone = nonce -> true;
        world.restart();
        return this;
    }

    /** Corrects the clock by this much at the first death. Both messages were due long before. */
    CrashCampaign withClockCorrectedAtDeath(Duration by) {
        clockCorrected = by;
        return this;
    }

    /** Corrects the clock by this much at this storage call. Both messages were due long before. */
    CrashCampaign withClockCorrectedAtCall(Duration by, int call) {
        clockCorrected = by;
        correctedAt = call;
        return this;
    }

    /** Kills the process in its n-th call of the transport: before any email is taken, or before the answer arrives. */
    CrashCampaign withDeathInHandOver(int call, boolean taken) {
        Runnable dies = () -> {
            if (world.transport.handOvers() == call && deaths == 0) {
                noteDeath();
                throw new ProcessDied();
            }
        };
        if (taken) {
            world.transport.afterHandOver(dies);
        } else {
            world.transport.beforeHandOver(dies);
        }
        return this;
    }

    private void noteDeath() {
        handingAtDeath |= world.anyHanding();
    }

    /** Returns the number of calls of the transport. */
    int handOvers() {
        return world.transport.handOvers();
    }

    /** Returns the number of emails in one lot. */
    int lotSize() {
        return world.transport.lotSize();
    }

    Faults run() {
        ListName one = world.list("first", FIRST, 4);
        ListName two = world.list("second", SECOND, 1);
        first = several ? toBoth(one) : toASegment ? toSome(one) : dueLongAgo(one);
        second = dueLongAgo(two);
        world.restart(faults);
        world.storage.hook(correction());
        step(process -> process.dueMessages.run());
        if (toASegment) {
            segment(one, BEGINS, "{\"what\": \"address\", \"test\": \"is\", \"value\": \"nobody@first.test\"}");
        }
        step(process -> process.drain(process.fanOut));
        step(process -> oneItem(process));
        step(process -> process.control.pause(first, Reason.NONE));
        step(process -> world.leave(one, LEAVER));
        countedWhenLeft = world.isCounted(first, LEAVER);
        takenWhenLeft = world.transport.timesTaken(first.toString(), LEAVER);
        step(process -> process.control.resume(first));
        for (int turn = 0; turn < 60 && !ended(); turn++) {
            step(SimulatedProcess::turn);
            world.time.advance(Duration.ofSeconds(10));
        }
        assertThat(ended()).as("the campaign ends").isTrue();
        return faults;
    }

    private CallHook correction() {
        AtomicInteger calls = new AtomicInteger();
        return new CallHook() {
            @Override
            public void before(Call call) {
                if (calls.incrementAndGet() == correctedAt) {
                    world.time.shiftWallClock(clockCorrected);
                }
            }
        };
    }

    private MessageRef dueLongAgo(ListName list) {
        return world.message(list, onUnknown, world.time.instant().minus(clockCorrected.abs()));
    }

    private MessageRef toBoth(ListName one) {
        ListName also = world.list("also", ALSO, 1);
        world.subscriber(also, LEAVER, true);
        world.subscriber(also, ON_BOTH, true);
        return world.message(Audience.of(List.of(one, also)), onUnknown, world.time.instant());
    }

    private MessageRef toSome(ListName one) {
        ListName early = world.list("early", 0, 0);
        EARLIER.forEach(address -> world.subscriber(early, address, true));
        MessageRef earlier = world.message(early, onUnknown);
        world.runToEnd();
        segment(one, BEGINS, "{\"what\": \"address\", \"test\": \"begins-with\", \"value\": \"v0\"}");
        segment(
                one,
                "late",
                "{\"all\": [{\"what\": \"segment\", \"test\": \"in\", \"value\": \"%s\"}, {\"none\": [{\"what\": \"message\", \"test\": \"sent\", \"value\": \"%s\"}]}]}"
                        .formatted(BEGINS, earlier));
        return world.message(Audience.of(one, new SegmentName("late")), onUnknown, world.time.instant());
    }

    private void segment(ListName list, String name, String rules) {
        SegmentStore segments = new SegmentStore(world.storage.tables());
        Segment segment = new Segment(list, new SegmentName(name), "", rules);
        segments.find(list, segment.name())
                .ifPresentOrElse(old -> segments.replace(segment, old.etag()), () -> segments.insert(segment));
    }

    /** Repeats a step that broke off, as the person who asked for it would. After a death, a new process repeats it. */
    private void step(Step step) {
        for (int attempt = 0; attempt < 4; attempt++) {
            try {
                step.on(world.process);
                return;
            } catch (ProcessDied died) {
                restart();
            } catch (StorageException e) {
                assertThat(faults.calls()).isPositive();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError("a step does not get done");
    }

    private void restart() {
        deaths++;
        if (deaths == 1 && correctedAt == 0) {
            world.time.shiftWallClock(clockCorrected);
        }
        if (lotsAfterDeath != null) {
            world.provider = new OtherLots(world.transport, lotsAfterDeath);
        }
        if (onUnknownAfterDeath != null && deaths == 1) {
            edit(first, onUnknownAfterDeath);
            edit(second, onUnknownAfterDeath);
        }
        world.restart(deaths == 1 ? then : deaths == 2 ? thirdly : Faults.none());
    }

    /** Edits the message, pausing it first if it is being sent. */
    private void edit(MessageRef ref, OnUnknown other) {
        SimulatedProcess web = world.restart();
        boolean paused = web.messages.find(ref).filter(Message::paused).isPresent();
        web.control.pause(ref, Reason.NONE);
        web.messages.findActive(ref).ifPresent(found -> {
            Schedule schedule = new Schedule(found.value().scheduledDate(), ZoneOffset.UTC);
            Messages.Change change = new Messages.Change(
                    found.value().audience(),
                    found.value().subject(),
                    null,
                    null,
                    null,
                    null,
                    schedule,
                    other,
                    null,
                    Messages.Hold.AS_IT_WAS);
            Messages.MessageEditResult edited = web.messages.edit(ref, found.etag(), change);
            assertThat(edited instanceof Messages.MessageEditResult.Edited
                            || found.value().status().ended())
                    .as("edited: " + edited)
                    .isTrue();
        });
        if (!paused) {
            web.control.resume(ref);
        }
    }

    private void oneItem(SimulatedProcess process) {
        process.receive(process.sender, 1).forEach(item -> process.handle(process.sender, item));
    }

    private boolean ended() {
        return new MessageStore(world.storage.tables()).active().isEmpty();
    }

    /** @param mayDie whether a process may have died */
    void check(boolean mayDie) {
        world.restart();
        List<String> firstRecipients = new ArrayList<>(SimulatedWorld.verified("first", FIRST));
        if (several) {
            firstRecipients.addAll(SimulatedWorld.verified("also", ALSO));
        } else if (!countedWhenLeft) {
            firstRecipients.remove(LEAVER);
        }
        if (toASegment) {
            firstRecipients.removeIf(address -> !address.startsWith("v0") || EARLIER.contains(address));
        }
        world.assertAccounted(first, firstRecipients);
        world.assertAccounted(second, SimulatedWorld.verified("second", SECOND));
        Map<String, Outcome> outcomes = world.outcomes(first);
        assertHandedOver(first, outcomes);
        assertHandedOver(second, world.outcomes(second));
        if (countedWhenLeft || !several) {
            assertThat(world.transport.timesTaken(first.toString(), LEAVER))
                    .as("handed over after leaving")
                    .isEqualTo(takenWhenLeft);
        }
        if (several) {
            outcomes.keySet().forEach(this::checkLink);
        }
        assertThat(world.messageRows()).as("messages and e-mail rows left over").isEmpty();
        assertThat(world.deadLetters()).isEmpty();
        if (!mayDie || !handingAtDeath) {
            assertThat(outcomes.values()).doesNotContain(Outcome.UNKNOWN);
            assertThat(world.transport.taken().values()).as("times taken").containsOnly(1);
        }
    }

    /**
     * Checks that the link belongs to the first list through which the recipient was counted. A person who left that
     * list before the count gets the message through the other.
     */
    private void checkLink(String address) {
        boolean byAlso = address.endsWith("@also.test") || (address.equals(LEAVER) && !countedWhenLeft);
        String link = world.transport.linkOf(first, address);
        assertThat(link)
                .as("link of " + address)
                .matches(link.isEmpty() ? "" : ".*listName=" + (byAlso ? "also" : "first"));
    }

    private void assertHandedOver(MessageRef ref, Map<String, Outcome> outcomes) {
        int max = onUnknown == OnUnknown.RESEND || onUnknownAfterDeath == OnUnknown.RESEND ? 2 : 1;
        int doubled = 0;
        for (Map.Entry<String, Outcome> entry : outcomes.entrySet()) {
            int times = world.transport.timesTaken(ref.toString(), entry.getKey());
            assertThat(times).as("times taken of " + entry.getKey()).isLessThanOrEqualTo(max);
            doubled += Math.max(0, times - 1);
            if (entry.getValue() == Outcome.SENT) {
                assertThat(times).as("Sent, so taken: " + entry.getKey()).isPositive();
            }
            if (entry.getValue() == Outcome.SKIPPED || entry.getValue() == Outcome.FAILED) {
                assertThat(times)
                        .as(entry.getValue() + ", so not taken: " + entry.getKey())
                        .isZero();
            }
        }
        int lot = Math.max(world.transport.lotSize(), lotsAfterDeath == null ? 0 : lotsAfterDeath);
        assertThat(doubled).as("at most one lot twice a death").isLessThanOrEqualTo(Math.max(1, deaths) * lot);
    }

    private interface Step {
        void on(SimulatedProcess process) throws Exception;
    }
}
