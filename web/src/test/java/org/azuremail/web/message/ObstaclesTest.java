package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.list.ListName;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;

/** Checks that a message's page says what stops its sending, and what to do. */
@PageTest
@DirtiesContext
class ObstaclesTest {

    private static final DateTimeFormatter TO_THE_SECOND =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    EndedMessage messages;

    @Autowired
    Messages drafts;

    @Autowired
    SegmentStore segments;

    @Autowired
    Switches switches;

    @Autowired
    Instances instances;

    @Autowired
    Obstacles obstacles;

    @Autowired
    ManualTime time;

    @AfterEach
    void everythingRuns() {
        switches.start("azuremailqueue");
        instances.deregister();
    }

    @Test
    void aProcessThatIsMissingIsNamedWithItsRole() throws Exception {
        instances.deregister();
        Message message = messages.processing("no_sender");

        assertThat(shown(message)).anySatisfy(text -> assertThat(text)
                .contains("Sending list emails: no running process does this", "role sender", "Operations"));
    }

    @Test
    void aStorageThatSavesNothingIsTold() {
        aSenderLives();
        Message message = messages.processing("full_disk");
        Obstacles whileTheDiskIsFull = new Obstacles(
                switches,
                obstacles.ranges(),
                instances,
                obstacles.settings(),
                obstacles.segments(),
                obstacles.texts(),
                () -> true,
                time);

        assertThat(whileTheDiskIsFull.of(message, waits())).singleElement().satisfies(one -> assertThat(one.text())
                .contains("cannot save anything at the moment", "full or read-only", "continues automatically"));
    }

    @Test
    void aStoppedQueueIsToldWithWhoDidItAndWhereItIsStarted() throws Exception {
        aSenderLives();
        Message message = messages.processing("stopped_queue");
        assertThat(shown(message)).isEmpty();

        switches.stop("azuremailqueue", "ada@example.org");

        assertThat(shown(message))
                .singleElement()
                .asString()
                .contains("Sending list emails was stopped by ada@example.org on", "starts it again", "Operations");
    }

    @Test
    void aPartThatWaitsSaysWhyUntilWhenAndThatItGoesOnByItself() {
        aSenderLives();
        Message message = messages.processing("rate_limit");
        Instant until = time.instant().plus(Duration.ofMinutes(9));
        MessageProgress waiting = new MessageProgress(
                3,
                true,
                false,
                OutcomeCounts.NONE,
                List.of(new MessageProgress.WaitReason(Reason.of(ReasonCode.RATE_SECOND, "smtp", 10), until)));

        assertThat(obstacles.of(message, waiting)).singleElement().satisfies(one -> {
            assertThat(one.text())
                    .contains("Emails are waiting until", "the limit of smtp is reached", "continue automatically");
            assertThat(one.page()).isEqualTo("/settings");
        });
        assertThat(obstacles.of(message.pausedFor(Reason.NONE), waiting)).isEmpty();
    }

    @Test
    void r16_emailsThatWaitForTheListsLimitSayItOnceWithALinkToTheList() {
        aSenderLives();
        Message message = messages.processing("list_limit");
        Reason limit = Reason.of(ReasonCode.LIST_RATE_HOUR, "list_limit", 2000);
        MessageProgress waiting = new MessageProgress(
                3,
                true,
                false,
                OutcomeCounts.NONE,
                List.of(new MessageProgress.WaitReason(limit, time.instant().plus(Duration.ofMinutes(9)))));

        assertThat(obstacles.of(message, waiting)).singleElement().satisfies(one -> {
            assertThat(one.text()).contains("the limit of the list list_limit is reached: 2,000 emails an hour");
            assertThat(one.page()).isEqualTo("/lists/list_limit/edit");
        });
    }

    @Test
    void theReasonOfABreakerStandsForAllThatLedToItAndIsToldToTheSecond() {
        aSenderLives();
        Message message = messages.processing("refused");
        Instant now = time.instant();
        MessageProgress waiting = waits(
                new MessageProgress.WaitReason(
                        Reason.ofText("The SMTP server at mx:25 cannot be reached: nothing listens there"),
                        now.plusSeconds(30)),
                new MessageProgress.WaitReason(open("12:00:10", "did not answer."), now.plusSeconds(10)),
                new MessageProgress.WaitReason(open("12:00:40", "cannot be reached."), now.plusSeconds(40)));

        assertThat(obstacles.of(message, waiting)).singleElement().satisfies(one -> {
            assertThat(one.text())
                    .startsWith("Emails are waiting until ")
                    .containsPattern(
                            "\\d\\d:\\d\\d:\\d\\d \\(UTC\\) and .* Reason: The SMTP server at mx:25 cannot be reached")
                    .doesNotContain("left alone");
            assertThat(one.page()).isEqualTo("/operations");
        });
    }

    @Test
    void providersThatAreAllOnHoldAreToldInOneSentence() {
        aSenderLives();
        Message message = messages.processing("all_refuse");
        Instant now = time.instant();
        MessageProgress waiting = waits(
                new MessageProgress.WaitReason(
                        onHold("one", now.plusSeconds(10)).and(onHold("two", now.plusSeconds(20))),
                        now.plusSeconds(10)),
                new MessageProgress.WaitReason(
                        onHold("one", now.plusSeconds(40)).and(onHold("two", now.plusSeconds(50))),
                        now.plusSeconds(40)));

        assertThat(obstacles.of(message, waiting)).singleElement().satisfies(obstacle -> {
            assertThat(obstacle.text())
                    .contains(
                            TO_THE_SECOND.format(now.plusSeconds(40)) + " (UTC) and will then",
                            "Reason: one is down – two is down")
                    .doesNotContain("not used");
            assertThat(obstacle.page()).isEqualTo("/operations");
        });
    }

    @Test
    void aTableThatSomebodyDeletedIsTold() {
        aSenderLives();
        Message message = messages.processing("lacking");
        Reason lacks = Reason.of(ReasonCode.STORAGE_LACKS);

        assertThat(obstacles.of(message, waits(new MessageProgress.WaitReason(lacks, null))))
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.text()).contains("somebody deleted", "restore it"));
    }

    private static Reason onHold(String transport, Instant until) {
        return Reason.of(ReasonCode.LEFT_ALONE, transport, until, Reason.ofText(transport + " is down"));
    }

    @Test
    void aCancelledMessageWaitsForNoProvider() {
        aSenderLives();
        Message message = messages.processing("given_up").become(MessageStatus.CANCELLED);

        assertThat(obstacles.of(
                        message,
                        waits(new MessageProgress.WaitReason(
                                open("12:00:10", "is down"), time.instant().plusSeconds(10)))))
                .isEmpty();
    }

    @Test
    void aMessageThatWaitsForItsDateWarnsOfABrokenSegment() {
        ListName list = messages.processing("broken_segment").list();
        segments.insert(new Segment(list, new SegmentName("odd"), "", """
                {"what":"field","field":"city","test":"is","value":"Ulm"}"""));
        Message waiting = ((Messages.MessageCreateResult.Created) drafts.create(new Messages.NewMessage(
                        Audience.of(list, new SegmentName("odd")),
                        Draft.of("To Ulm", "<p>Hello</p>", null),
                        new Schedule(time.instant().plus(Duration.ofDays(1)), ZoneOffset.UTC),
                        OnUnknown.HOLD,
                        null,
                        "ann",
                        false,
                        false)))
                .message();

        assertThat(obstacles.of(waiting, waits())).singleElement().satisfies(one -> {
            assertThat(one.text()).contains("At its time this message fails", "no field “city”");
            assertThat(one.page()).isEqualTo("/segments/broken_segment/odd");
        });
    }

    /** Returns the reason as an older version stored it. */
    private static Reason open(String until, String why) {
        return Reason.read("smtp is left alone until 22 Nov 2026, " + until + " UTC: The SMTP server at mx:25 " + why);
    }

    private static MessageProgress waits(MessageProgress.WaitReason... waits) {
        return new MessageProgress(3, true, false, OutcomeCounts.NONE, List.of(waits));
    }

    private void aSenderLives() {
        instances.register(new Instances.Registration(
                "mill",
                Set.of("sender", "scheduler"),
                Set.of("azuremailqueue", "azuremailfanoutqueue"),
                Set.of("due-messages"),
                ""));
    }

    private List<String> shown(Message message) throws Exception {
        return browsers.getObject()
                .signIn()
                .open("/messages/" + message.ref())
                .page()
                .select("p.obstacle")
                .eachText();
    }
}
