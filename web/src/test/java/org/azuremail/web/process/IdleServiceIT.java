package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.delivery.MessageControl;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.DrivenWorld;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Checks with all real services of all processes and a manual clock how soon an idle service starts new work. */
class IdleServiceIT {

    private static final Duration HOUR = Duration.ofHours(1);

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);

    @AfterEach
    void close() {
        processes.close();
    }

    @Test
    @DisplayName("Q-2: a message that is stored while all are idle is taken up within a second of its signal")
    void q2_aMessageIsTakenUpWithinASecondOfItsSignal() {
        ConfigurableApplicationContext web = oneOfEachRole();
        world.run(HOUR.multipliedBy(3));
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(1));

        assertThat(IdleMessage.sent(web, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("Q-3: without any signal the holder of the lease takes it up within 60 seconds")
    void q3_aMessageIsTakenUpWithinAMinuteWithoutAnySignal() {
        ConfigurableApplicationContext web = oneOfEachRole();
        world.run(HOUR.multipliedBy(3));
        world.signalsArrive(false);
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(60));

        assertThat(IdleMessage.taken(web, ref)).isTrue();
        world.run(Duration.ofSeconds(15));
        assertThat(IdleMessage.emailed(web, ref))
                .as("the sender has found out that it hears nothing")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("A65: a message is sent soon although no signal ever arrives and nobody polls by himself")
    void a65_aMessageIsSentAlthoughNoSignalEverArrives() {
        world.signalsArrive(false);
        ConfigurableApplicationContext web = oneOfEachRole("azuremail.work.safety-poll=never");
        world.run(HOUR.multipliedBy(3));
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(75));

        assertThat(IdleMessage.emailed(web, ref)).isEqualTo(1);
        assertThat(web.getBean(Instances.class).known()).hasSize(3).allMatch(Instance::deaf);
    }

    @Test
    @DisplayName("A65: a sender that starts as the first, and hears of nobody, learns of the others by itself")
    void a65_aSenderThatStartsFirstAndHearsNothingLearnsOfTheOthers() {
        String never = "azuremail.work.safety-poll=never";
        world.signalsArrive(false);
        processes.start("sender", never);
        world.run(Duration.ofMinutes(1));
        ConfigurableApplicationContext web = processes.start("web", never);
        processes.start("scheduler", never);
        world.run(Duration.ofSeconds(10));
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(75));

        assertThat(IdleMessage.emailed(web, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("A65: signals stop arriving midway, are found missing, and arrive again")
    void a65_aMessageIsSentAlthoughSignalsStopMidwayAndNobodyPollsOnceTheyAreBack() {
        ConfigurableApplicationContext web = oneOfEachRole("azuremail.work.safety-poll=never");
        world.run(HOUR.multipliedBy(3));
        assertThat(web.getBean(Instances.class).known()).hasSize(3).noneMatch(Instance::deaf);
        world.signalsArrive(false);
        world.run(Duration.ofSeconds(10));
        assertThat(sendersLookWithin(Duration.ofSeconds(10)))
                .as("ten seconds after signals stopped")
                .isPositive();

        MessageRef ref = IdleMessage.write(web, world.time.instant());
        world.run(Duration.ofSeconds(75));
        assertThat(IdleMessage.emailed(web, ref))
                .as("the scheduler looks after a minute at most")
                .isEqualTo(1);
        assertThat(web.getBean(Instances.class).known()).allMatch(Instance::deaf);

        world.signalsArrive(true);
        world.run(Duration.ofMinutes(10));
        assertThat(web.getBean(Instances.class).known()).noneMatch(Instance::deaf);
        assertThat(world.callsWithin(HOUR)).isLessThan(200);
    }

    @Test
    @DisplayName("Q-2: a message that was paused for a day is sent and completed within two seconds of its resumption")
    void q2_aMessageThatRestedGoesOnAtOnce() {
        ConfigurableApplicationContext web = oneOfEachRole();
        MessageRef ref = IdleMessage.writePaused(world, web);
        world.run(HOUR.multipliedBy(24));
        assertThat(IdleMessage.emailed(web, ref)).isZero();

        web.getBean(MessageControl.class).resume(ref);
        world.run(Duration.ofSeconds(2));

        assertThat(IdleMessage.sent(web, ref)).isEqualTo(IdleMessage.PAUSED_READERS);
    }

    @Test
    @DisplayName("A65: the same without any signal: sent soon, and completed by a look a minute later")
    void a65_aMessageThatRestedGoesOnWithoutAnySignal() {
        ConfigurableApplicationContext web = oneOfEachRole("azuremail.work.safety-poll=never");
        MessageRef ref = IdleMessage.writePaused(world, web);
        world.run(HOUR.multipliedBy(24));
        world.signalsArrive(false);

        web.getBean(MessageControl.class).resume(ref);
        world.run(Duration.ofSeconds(75));

        assertThat(IdleMessage.emailed(web, ref)).isEqualTo(IdleMessage.PAUSED_READERS);
        world.run(Duration.ofSeconds(60));
        assertThat(IdleMessage.sent(web, ref)).isEqualTo(IdleMessage.PAUSED_READERS);
    }

    @Test
    @DisplayName("Q-3: a message that was paused for a day is cancelled within two minutes, also without any signal")
    void q3_aMessageThatRestedIsCancelledWithoutAnySignal() {
        ConfigurableApplicationContext web = oneOfEachRole();
        MessageRef ref = IdleMessage.writePaused(world, web);
        world.run(HOUR.multipliedBy(24));
        world.signalsArrive(false);

        web.getBean(MessageControl.class).cancel(ref);
        world.run(Duration.ofMinutes(2));

        Message cancelled = web.getBean(Messages.class).find(ref).orElseThrow();
        assertThat(cancelled.completedAt()).isNotNull();
        assertThat(cancelled.result().counts().skipped()).isEqualTo(IdleMessage.PAUSED_READERS);
    }

    @Test
    @DisplayName("Q20: the queues of a role are polled only where the role is on, and an item waits until then")
    void q20_aQueueIsConsumedOnlyWhereItsRoleIsOn() {
        Set<String> polled = new TreeSet<>();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.RECEIVE) {
                    polled.add(call.place());
                }
            }
        });
        ConfigurableApplicationContext web = processes.start("web");
        MessageRef ref = IdleMessage.write(web, world.time.instant());
        world.run(HOUR);
        assertThat(polled).as("by web").isEmpty();
        assertThat(IdleMessage.taken(web, ref)).isFalse();

        processes.start("scheduler");
        world.run(HOUR);
        assertThat(polled)
                .as("by the scheduler")
                .containsExactly("azuremailfanoutqueue", "azuremailimportqueue", "azuremailjobqueue");
        assertThat(IdleMessage.taken(web, ref)).isTrue();
        assertThat(IdleMessage.emailed(web, ref)).isZero();

        polled.clear();
        processes.start("sender");
        world.run(HOUR);
        assertThat(polled)
                .as("by all")
                .containsExactly(
                        "azuremailaskqueue",
                        "azuremailfanoutqueue",
                        "azuremailimportqueue",
                        "azuremailjobqueue",
                        "azuremailqueue",
                        "azuremailqueue-high",
                        "azuremailqueue-low",
                        "azuremailsubscribequeue",
                        "azuremailtestqueue");
        assertThat(IdleMessage.sent(web, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("Q17: a process that is alone sends a message at its date, without any look before")
    void q17_aProcessThatIsAloneKeepsTheDate() {
        ConfigurableApplicationContext alone =
                processes.start("web,scheduler,sender", "azuremail.work.safety-poll=never");
        world.run(HOUR.multipliedBy(3));
        MessageRef ref = IdleMessage.write(alone, world.time.instant().plus(HOUR));
        world.run(HOUR.minusSeconds(1));
        assertThat(IdleMessage.taken(alone, ref)).isFalse();

        world.run(Duration.ofSeconds(2));

        assertThat(IdleMessage.sent(alone, ref)).isEqualTo(1);
    }

    @Test
    @DisplayName("Q-5: a sender dies with the work item in its hands, and another one goes on")
    void q5_aDeadSendersRangeGoesOn() {
        ConfigurableApplicationContext web = oneOfEachRole();
        world.run(HOUR);
        boolean[] held = {false};
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.SEND && call.place().equals("azuremailqueue") && !held[0]) {
                    held[0] = true;
                    world.storage.queues().receive("azuremailqueue", 1, Duration.ofSeconds(60));
                }
            }
        });
        MessageRef ref = IdleMessage.write(web, world.time.instant());

        world.run(Duration.ofSeconds(50));
        assertThat(held[0]).isTrue();
        assertThat(IdleMessage.sent(web, ref)).isZero();
        world.run(Duration.ofSeconds(80));

        assertThat(IdleMessage.sent(web, ref)).isEqualTo(1);
    }

    private int sendersLookWithin(Duration duration) {
        AtomicInteger looks = new AtomicInteger();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                boolean look = call.kind() == Call.Kind.RECEIVE && call.place().startsWith("azuremailqueue");
                looks.addAndGet(look ? 1 : 0);
            }
        });
        world.run(duration);
        world.storage.hook(CallHook.NONE);
        return looks.get();
    }

    /** Starts a process of each role and returns the web process. */
    private ConfigurableApplicationContext oneOfEachRole(String... settings) {
        ConfigurableApplicationContext web = processes.start("web", settings);
        processes.start("scheduler", settings);
        processes.start("sender", settings);
        return web;
    }
}
