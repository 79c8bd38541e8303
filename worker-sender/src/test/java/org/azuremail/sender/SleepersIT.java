package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Deliveries;
import org.azuremail.work.service.ScheduledService;
import org.junit.jupiter.api.Test;

/**
 * Checks a process that decides, sleeps at any of its storage calls, and wakes up when the reason for its decision no
 * longer applies.
 */
class SleepersIT {

    private static final String REFUSED = "v01@contoso1.test";

    private SimulatedWorld world = new SimulatedWorld();
    private SimulatedProcess other = world.process;
    private boolean slept;

    /** The calls that the sleeper had made. */
    private final List<String> before = new ArrayList<>();

    /** Whether the sleeper has finished its act, so that it need not sleep at its other calls. */
    private boolean asleepTooLate;

    /**
     * Meanwhile, another process deletes the list, and a new list of that name gets a draft and a scheduled message.
     */
    @Test
    void aDeletionLeavesTheMessagesOfANewListAlone() {
        ListName name = new ListName("contoso1");
        MessageRef[] later = new MessageRef[1];
        walk(
                () -> {
                    world.list("contoso1", 3, 0);
                    world.message(name, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));
                    world.process.listDeletion.begin(name);
                },
                sleeper -> run(sleeper.listDeletion.service()),
                () -> {
                    delete(name);
                    world.list("contoso1", 3, 0);
                    later[0] = world.message(
                            name, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));
                },
                () -> assertThat(world.find(later[0]).status()).isEqualTo(MessageStatus.PENDING),
                10);
    }

    /** Meanwhile, the list that was checked is deleted, and a new list of the same name has other subscribers. */
    @Test
    void aMessageForAListThatIsDeletedMeanwhileDoesNotGoToTheNewOne() {
        ListName name = new ListName("contoso1");
        for (boolean edited : new boolean[] {false, true}) {
            MessageRef[] ref = new MessageRef[1];
            walk(
                    () -> {
                        world.list("contoso1", 3, 0);
                        world.list("elsewhere", 3, 0);
                        ref[0] = world.process.messages.nextRef();
                        if (edited) {
                            tomorrow(world.process, ref[0], new ListName("elsewhere"));
                        }
                    },
                    sleeper -> {
                        Versioned<Message> old =
                                sleeper.messages.findActive(ref[0]).orElse(null);
                        if (old == null) {
                            tomorrow(sleeper, ref[0], name);
                        } else {
                            Message stored = old.value();
                            sleeper.messages.edit(
                                    ref[0],
                                    old.etag(),
                                    MessagesInTests.change(
                                            name, "News", null, null, stored.schedule(), OnUnknown.HOLD));
                        }
                    },
                    () -> {
                        other.listDeletion.begin(name);
                        delete(name);
                        world.list("contoso1", 0, 0);
                        world.subscriber(name, "stranger@elsewhere.test", true);
                    },
                    () -> {
                        world.time.advance(Duration.ofDays(1));
                        for (int turn = 0; turn < 20; turn++) {
                            world.process.turn();
                            world.time.advance(Duration.ofSeconds(10));
                        }
                        if (before.contains("GET contoso1")) {
                            assertThat(world.transport.taken().keySet())
                                    .noneMatch(key -> key.contains("stranger@elsewhere.test"));
                        }
                    },
                    10);
        }
    }

    private void delete(ListName name) {
        for (int round = 0; other.lists.find(name).isPresent(); round++) {
            assertThat(round).isLessThan(5);
            other.look();
            run(other.listDeletion.service());
            world.time.advance(Duration.ofMinutes(2));
        }
    }

    /** Meanwhile, another process pauses the message, and a person sees the reason and resumes it. */
    @Test
    void aWarningOfBouncesDoesNotPauseAMessageThatWasResumed() {
        MessageRef[] ref = new MessageRef[1];
        walk(
                () -> ref[0] = bounced(),
                SimulatedProcess::look,
                () -> {
                    asleepTooLate = world.find(ref[0]).paused();
                    other.look();
                    assertThat(other.control.resume(ref[0])).isTrue();
                },
                () -> assertThat(world.find(ref[0]).paused()).isFalse(),
                5);
    }

    private MessageRef bounced() {
        world.list("contoso1", 130, 0);
        MessageRef ref = world.message(new ListName("contoso1"), OnUnknown.HOLD);
        Map<String, String> handles = new HashMap<>();
        world.transport.answer((mail, attempt) -> {
            if (handles.size() < 110) {
                handles.put(mail.to().address().value(), mail.handle());
                return new Answer.Accepted("id");
            }
            return new Answer.RetryAfter(Duration.ofMinutes(5), "450 later");
        });
        world.process.turn();
        Feedback bounce = new Feedback(Kind.HARD_BOUNCE, world.time.instant(), "5.1.1", "", Feedback.EVENTS);
        world.process.recorder.record(handles.values().stream()
                .limit(20)
                .map(handle -> new MailEvent(world.process.handles.read(handle).orElseThrow(), bounce, ""))
                .toList());
        return ref;
    }

    /**
     * Meanwhile, another sender pauses the message for the same reason, and a person solves the problem and resumes it.
     */
    @Test
    void aSenderDoesNotPauseAMessageThatWasResumed() {
        MessageRef[] ref = new MessageRef[1];
        Reason reason = Reason.ofText("401 check the API key");
        walk(
                () -> {
                    world.list("contoso1", 9, 0);
                    ref[0] = world.message(new ListName("contoso1"), OnUnknown.HOLD);
                    world.transport.unavailableWhenAsked(
                            Optional.of(new Unavailable(Unavailable.Kind.PAUSE, reason, Duration.ofHours(1))));
                    world.process.look();
                    world.process.drain(world.process.fanOut);
                    world.process.look();
                },
                sleeper -> sleeper.drain(sleeper.sender),
                () -> {
                    other.control.pause(ref[0], reason);
                    world.transport.unavailableWhenAsked(Optional.empty());
                    other.control.resume(ref[0]);
                },
                () -> {
                    assertThat(world.find(ref[0]).paused()).isFalse();
                    world.runToEnd();
                    assertThat(world.transport.taken()).hasSize(9);
                },
                10);
    }

    /** The recipient waits for the second email, which is sent meanwhile, or whose outcome becomes unknown. */
    @Test
    void whoeverSendsAgainWhileTheSameIsUnderWaySeesHowThatEnds() {
        for (Answer second : new Answer[] {new Answer.Accepted("id"), new Answer.Unknown(Reason.ofText("it broke"))}) {
            MessageRef[] ref = new MessageRef[1];
            walk(
                    () -> {
                        ref[0] = refusedOnce(second);
                        world.process.reopening.reopen(ref[0], Set.of(Outcome.FAILED));
                    },
                    sleeper -> sleeper.reopening.reopen(ref[0], Set.of(Outcome.FAILED)),
                    () -> other.drain(other.sender),
                    () -> {
                        world.runToEnd();
                        assertThat(world.transport.attempts(ref[0], REFUSED)).isEqualTo(2);
                        new Books(world, ref[0]).assertBalanced();
                    },
                    10);
        }
    }

    /** The item is delivered twice, and the outcome of the other delivery's email is unknown. */
    @Test
    void aRestoredDeadLetterInDoubtIsLeftToAPerson() {
        MessageRef[] ref = new MessageRef[1];
        MailItem[] item = new MailItem[1];
        walk(
                () -> {
                    world.list("contoso1", 3, 0);
                    world.process.poisoned.add(REFUSED);
                    ref[0] = world.message(new ListName("contoso1"), OnUnknown.HOLD);
                    world.runToEnd();
                    assertThat(world.outcomes(ref[0])).containsEntry(REFUSED, Outcome.FAILED);
                    world.process.poisoned.clear();
                    world.transport.answer((mail, attempt) -> new Answer.Unknown(Reason.ofText("it broke")));
                    String date = world.find(ref[0]).datePartition();
                    item[0] = new MailItem(date, ref[0], REFUSED, true);
                },
                sleeper -> restored(sleeper, item[0]),
                () -> {
                    restored(other, item[0]);
                    for (int turn = 0; turn < 20; turn++) {
                        other.turn();
                        world.time.advance(Duration.ofSeconds(10));
                    }
                },
                () -> {
                    world.runToEnd();
                    assertThat(world.transport.attempts(ref[0], REFUSED)).isEqualTo(1);
                    assertThat(world.outcomes(ref[0])).containsEntry(REFUSED, Outcome.UNKNOWN);
                },
                10);
    }

    /**
     * While the bodies of a deleted message are removed, an admin goes back in the browser and saves the same form
     * again.
     */
    @Test
    void aMessageThatIsSavedAgainWhileItIsDeletedKeepsItsBodies() {
        MessageRef[] ref = new MessageRef[1];
        walk(
                () -> {
                    world.list("contoso1", 3, 0);
                    ref[0] = world.process.messages.nextRef();
                    tomorrow(world.process, ref[0], new ListName("contoso1"));
                },
                sleeper -> {
                    Messages messages = sleeper.messages;
                    assertThat(messages.delete(messages.findActive(ref[0]).orElseThrow()))
                            .isTrue();
                },
                () -> {
                    if (other.messages.find(ref[0]).isEmpty()) {
                        tomorrow(other, ref[0], new ListName("contoso1"));
                    }
                },
                () -> other.messages.find(ref[0]).ifPresent(again -> assertThat(other.messages.bodies(again))
                        .isPresent()),
                10);
    }

    private void tomorrow(SimulatedProcess process, MessageRef ref, ListName list) {
        Draft draft = Draft.of("News", "<html><body><p>Hello</p></body></html>", null);
        Schedule schedule = new Schedule(world.time.instant().plus(Duration.ofDays(1)), ZoneOffset.UTC);
        process.messages.create(ref, new Messages.NewMessage(list, draft, schedule, OnUnknown.HOLD, "test", false));
    }

    private static void restored(SimulatedProcess process, MailItem item) {
        try {
            process.sender.handle(item, Deliveries.first());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private MessageRef refusedOnce(Answer second) {
        world.transport.answer((mail, attempt) -> !mail.to().address().equals(new EmailAddress(REFUSED))
                ? new Answer.Accepted("id")
                : attempt == 1 ? new Answer.Refused("no such user") : second);
        world.list("contoso1", 9, 0);
        MessageRef ref = world.message(new ListName("contoso1"), OnUnknown.HOLD);
        world.runToEnd();
        Message ended = world.find(ref);
        assertThat(ended.result().counts().failed()).isOne();
        return ref;
    }

    /** Repeats the act until the process has slept at each of its calls. */
    private void walk(
            Runnable begin, Consumer<SimulatedProcess> act, Runnable meanwhile, Runnable check, int minCalls) {
        int call = 0;
        do {
            world = new SimulatedWorld();
            begin.run();
            sleepsAt(++call, act, meanwhile);
            try {
                check.run();
            } catch (AssertionError e) {
                throw new AssertionError("slept at call " + call, e);
            }
        } while (slept && !asleepTooLate);
        assertThat(call).isGreaterThan(minCalls);
    }

    private void sleepsAt(int call, Consumer<SimulatedProcess> act, Runnable meanwhile) {
        SimulatedProcess sleeper = world.process;
        other = world.restart();
        slept = false;
        before.clear();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call next) {
                if (!slept && before.size() == call - 1) {
                    slept = true;
                    meanwhile.run();
                } else if (!slept) {
                    before.add(next.kind() + " " + next.partition());
                }
            }
        });
        act.accept(sleeper);
        world.storage.hook(CallHook.NONE);
        if (!slept) {
            before.clear();
            meanwhile.run();
        }
    }

    private static void run(ScheduledService service) {
        try {
            service.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
