package org.azuremail.sender.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.attention.Cause;
import org.azuremail.attention.Cause.Kind;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that admins are emailed about problems that need a person, at most once an hour for each kind of cause. */
class AlertsTest {

    private static final Cause DEAD = new Cause(Kind.DEAD_LETTERS, "", 2, List.of(2L), "/dead-letters", null);
    private static final Cause PAUSED = new Cause(
            Kind.MESSAGE_PAUSED, "7", 1, List.of("News & more", Reason.ofText("535 <no>")), "/messages/7", null);

    private final AlertWorld world = new AlertWorld();

    @Test
    void limitation32_anAdminIsEmailedOnceAboutACauseThatNeedsAPerson() {
        Alerts alerts = world.process();
        world.causes.add(DEAD);

        for (int i = 0; i < 30; i++) {
            alerts.run();
            world.later(Duration.ofMinutes(10));
        }

        assertThat(world.given).singleElement().satisfies(lot -> {
            assertThat(lot.content().subject(Map.of())).isEqualTo("AzureMail: 2 pieces of work have failed");
            assertThat(lot.content().from().address().value()).isEqualTo("news@example.org");
            assertThat(lot.mails().get(0).to().address().value()).isEqualTo("ann@example.org");
            assertThat(lot.content().text().toString())
                    .contains("https://lists.example.org/dead-letters", "https://lists.example.org/account");
        });
    }

    @Test
    void severalCausesAreOneEmailWithALinkToEach() {
        world.causes.addAll(List.of(PAUSED, DEAD));

        world.process().run();

        assertThat(world.given).hasSize(1);
        assertThat(world.given.get(0).content().subject(Map.of())).isEqualTo("AzureMail: 2 things need attention");
        assertThat(world.given.get(0).content().html().toString())
                .contains("‘News &amp; more’ is paused", "535 &lt;no&gt;", "https://lists.example.org/messages/7")
                .contains("https://lists.example.org/dead-letters")
                .doesNotContain("<no>");
    }

    @Test
    void limitation32_twoProcessesAtTheSameTimeSendOneEmail() {
        world.causes.add(DEAD);
        boolean[] met = {false};
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.partition().equals("attention") && !met[0]) {
                    met[0] = true;
                    world.process().run();
                }
            }
        });

        world.process().run();

        assertThat(met[0]).isTrue();
        assertThat(world.given).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void limitation32_aFaultAtAnyCallNeitherDoublesNorLosesTheEmailOfAnHour(Faults.Mode mode) {
        int at = 1;
        while (anHourWithAFault(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(5);
    }

    private static long anHourWithAFault(Faults.Mode mode, int at) {
        AlertWorld world = new AlertWorld();
        world.causes.add(DEAD);
        Faults faults = new Faults(mode, at, () -> {});
        Alerts alerts = world.process(faults.around(world.simulated.storage()));
        for (int minute = 0; minute < 60; minute += 5) {
            alerts = turn(world, alerts);
        }
        assertThat(world.given).as(mode + " at " + at + ", first hour").hasSizeLessThanOrEqualTo(1);
        for (int minute = 0; minute < 60; minute += 5) {
            alerts = turn(world, alerts);
        }
        assertThat(world.given).as(mode + " at " + at + ", two hours").hasSizeBetween(1, 2);
        int sent = world.given.size();
        for (int minute = 0; minute < 180; minute += 5) {
            alerts = turn(world, alerts);
        }
        assertThat(world.given).as(mode + " at " + at + ", later").hasSize(sent);
        return faults.calls();
    }

    private static Alerts turn(AlertWorld world, Alerts alerts) {
        Alerts goesOn = alerts;
        try {
            alerts.run();
        } catch (ProcessDied died) {
            goesOn = world.process();
        } catch (StorageException goesOnByItself) {
            assertThat(goesOnByItself.retryable()).isTrue();
        }
        world.later(Duration.ofMinutes(5));
        return goesOn;
    }

    @Test
    void limitation32_aRefusedAddressOfAnAdminIsNotTriedAgain() {
        world.answers = to -> new Answer.Refused("550 no such user");
        world.causes.add(DEAD);
        Alerts alerts = world.process();

        for (int hour = 0; hour < 48; hour++) {
            alerts.run();
            world.later(Duration.ofHours(1));
        }

        assertThat(world.given).hasSize(1);
    }

    @Test
    void oneBadAddressKeepsNobodyElseFromBeingTold() {
        world.admin("bob@example.org", true);
        world.answers = to -> to.startsWith("ann")
                ? new Answer.RetryAfter(Duration.ofMinutes(5), Reason.ofText("450"), false)
                : new Answer.Accepted("id");
        world.causes.add(DEAD);
        Alerts alerts = world.process();

        for (int hour = 0; hour < 5; hour++) {
            alerts.run();
            world.later(Duration.ofHours(1));
        }

        assertThat(world.given.stream()
                        .map(lot -> lot.mails().get(0).to().address().value()))
                .containsExactly("ann@example.org", "bob@example.org");
    }

    @Test
    void anAdminWhoWantsNoEmailsGetsNone() {
        world.admin("ann@example.org", false);
        world.causes.add(DEAD);

        world.process().run();

        assertThat(world.given).isEmpty();
    }

    @Test
    void whileNoTransportTakesEmailsNothingIsLostAndItIsTriedAgainSoon() {
        world.causes.add(DEAD);
        world.away = Optional.of(
                new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("no connection"), Duration.ofMinutes(1)));
        Alerts alerts = world.process();
        alerts.run();
        assertThat(world.given).isEmpty();
        assertThat(alerts.interval()).isLessThanOrEqualTo(Duration.ofMinutes(10));

        world.away = Optional.empty();
        world.later(Duration.ofMinutes(10));
        alerts.run();

        assertThat(world.given).hasSize(1);
    }

    @Test
    void anIdleInstallationIsLookedAtRarely() {
        Alerts alerts = world.process();
        alerts.run();
        assertThat(alerts.interval()).isEqualTo(Duration.ofDays(7));

        world.sending = true;
        world.later(Duration.ofMinutes(1));
        alerts.run();
        assertThat(alerts.interval()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void aFloodOfSignalsIsALookAMinute() {
        Alerts alerts = world.process();
        alerts.run();
        world.causes.add(DEAD);
        long before = world.simulated.calls();
        for (int i = 0; i < 100; i++) {
            alerts.run();
        }
        assertThat(world.simulated.calls()).isEqualTo(before);
        assertThat(alerts.interval()).isEqualTo(Duration.ofMinutes(2));
    }
}
