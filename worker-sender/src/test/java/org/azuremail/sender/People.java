package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.list.ListName;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.time.ManualTime;

/**
 * The actions of people on a message and its list, while the message is sent and when it is final. The seed chooses the
 * actions and their times.
 */
final class People {

    static final String LEAVER = "v03@crowd.test";
    static final String MOVER = "v05@crowd.test";
    static final String MOVED = "w05@crowd.test";
    static final String ERASED = "v07@crowd.test";

    /** A subscriber who leaves the list to which the message is moved. */
    static final String LEAVER_THERE = "v03@elsewhere.test";

    /** Subscribers of both lists. */
    static final List<String> TWICE = List.of("v01@crowd.test", "v09@crowd.test", "v11@crowd.test");

    /** A subscriber of both lists who leaves one of them. */
    static final String LEAVER_OF_ONE = TWICE.get(2);

    /** A subscriber who moves from one list to the other and changes address. */
    static final String CHANGER = "v10@crowd.test";

    static final String CHANGED = "w10@crowd.test";

    static final ListName ELSEWHERE = new ListName("elsewhere");

    private static final ListName CROWD = new ListName("crowd");

    /** A segment with most of the crowd. */
    static final Segment SEGMENT = new Segment(
            CROWD,
            new SegmentName("some"),
            "",
            "{\"what\": \"address\", \"test\": \"begins-with\", \"value\": \"v0\"}");

    /** The audiences that the message may get. */
    static final List<Audience> AUDIENCES = List.of(
            Audience.of(CROWD),
            Audience.of(ELSEWHERE),
            Audience.of(CROWD, SEGMENT.name()),
            Audience.of(List.of(CROWD, ELSEWHERE)),
            Audience.of(List.of(ELSEWHERE, CROWD)));

    private static final Instant DAYS_BEFORE = ManualTime.START.minus(Duration.ofHours(20));
    private static final String CHANGED_BODY = "<html><body><p>Changed</p></body></html>";

    private final Random random;
    private final Baton baton;
    private final Witness witness;
    private final SimulatedProcess web;
    private final SimulatedProcess ofEditor;
    private final SimulatedProcess ofLeaver;
    private final SimulatedProcess ofMover;
    private final SimulatedProcess ofChanger;
    private final ListName list;
    private final MessageRef ref;
    private final Runnable makeAnother;
    private int atWork;
    private boolean deleted;
    private boolean made;

    People(
            Random random,
            Baton baton,
            Witness witness,
            Supplier<SimulatedProcess> host,
            ListName list,
            MessageRef ref,
            Runnable makeAnother) {
        this.random = random;
        this.baton = baton;
        this.witness = witness;
        this.web = host.get();
        this.ofEditor = host.get();
        this.ofLeaver = host.get();
        this.ofMover = host.get();
        this.ofChanger = host.get();
        this.list = list;
        this.ref = ref;
        this.makeAnother = makeAnother;
    }

    /** Adds the people's tasks to the baton. */
    void come() {
        sometimes(2, "leaver", () -> leave(list, LEAVER));
        sometimes(2, "mover", this::changeAddress);
        sometimes(2, "admin", this::pauseEditResume);
        sometimes(4, "hasty", this::pauseResume);
        sometimes(12, "canceller", this::cancel);
        sometimes(16, "deleter", this::deleteList);
        sometimes(1, "again1", () -> again(Set.of(Outcome.FAILED, Outcome.UNKNOWN)));
        sometimes(3, "again2", () -> again(Set.of(Outcome.UNKNOWN)));
        sometimes(3, "again3", this::againToOne);
        sometimes(5, "decider", this::decide);
        sometimes(3, "eraser", this::erase);
        sometimes(2, "editor", this::moveTheMessage);
        sometimes(2, "leaver of one", () -> leaveOne());
        sometimes(2, "changer", this::changeList);
        sometimes(2, "leaver there", () -> leave(ELSEWHERE, LEAVER_THERE));
    }

    boolean atWork() {
        return atWork > 0;
    }

    /** Returns whether an admin asked for the list to be deleted. */
    boolean deletedTheList() {
        return deleted;
    }

    private void sometimes(int oneIn, String name, Baton.Body act) {
        if (random.nextInt(oneIn) > 0) {
            return;
        }
        atWork++;
        baton.add(name, () -> {
            awaitTheMoment();
            baton.note("begins");
            act.run();
            baton.note("is done");
            baton.stirred();
            atWork--;
        });
    }

    /**
     * Waits for a random time or step, until a host is frozen, or until about the time at which the message is final.
     */
    private void awaitTheMoment() {
        int which = random.nextInt(5);
        if (which == 0) {
            rest(45);
        } else if (which == 1) {
            long step = random.nextInt(1_500);
            baton.await(() -> baton.steps() >= step, Duration.ofMinutes(2));
        } else if (which == 2) {
            baton.await(() -> baton.frozen() > 0, Duration.ofMinutes(2));
            rest(10);
        } else {
            baton.await(() -> witness.completions() > 0, Duration.ofMinutes(6));
            rest(which == 3 ? 1 : 60);
        }
    }

    private void rest(int maxSeconds) {
        baton.sleep(Duration.ofMillis(random.nextInt(maxSeconds * 1000)));
    }

    private void leave(ListName from, String address) {
        if (ofLeaver.feature.subscriptions().leave(from, new EmailAddress(address), Origin.link(null))
                instanceof LeaveResult.Left) {
            witness.hasLeft(address);
        }
    }

    /** Unsubscribes a person from one list who may still be emailed as a subscriber of the other. */
    private void leaveOne() {
        ofEditor.feature.subscriptions().leave(list, new EmailAddress(LEAVER_OF_ONE), Origin.link(null));
    }

    private void erase() {
        if (ofLeaver.feature.subscriptions().erase(list, new EmailAddress(ERASED), Origin.admin("ada"))
                != EraseResult.MISSING) {
            witness.hasLeft(ERASED);
        }
    }

    /** Moves the message to another list, another day, or both. The edit is refused once the message is being sent. */
    private void moveTheMessage() {
        for (int times = 1 + random.nextInt(2); times > 0; times--) {
            ofEditor.messages.findActive(ref).ifPresent(found -> {
                Audience to = AUDIENCES.get(random.nextInt(AUDIENCES.size()));
                Instant due = random.nextBoolean() ? found.value().scheduledDate() : DAYS_BEFORE;
                Messages.Change change = new Messages.Change(
                        to,
                        found.value().subject(),
                        random.nextBoolean() ? null : CHANGED_BODY.getBytes(StandardCharsets.UTF_8),
                        null,
                        null,
                        null,
                        new Schedule(due, ZoneOffset.UTC),
                        found.value().onUnknown(),
                        null,
                        Messages.Hold.AS_IT_WAS);
                Messages.MessageEditResult edited = ofEditor.messages.edit(ref, found.etag(), change);
                baton.note("moves the message to " + to + ", " + due + ": "
                        + edited.getClass().getSimpleName());
            });
            rest(5);
        }
    }

    private void changeAddress() {
        move(ofMover, MOVER, new Membership(list, new EmailAddress(MOVED)));
    }

    private void changeList() {
        move(ofChanger, CHANGER, new Membership(ELSEWHERE, new EmailAddress(CHANGED)));
    }

    /** Moves a subscriber. The move is refused while the list is being deleted, because no subscriber is added then. */
    private void move(SimulatedProcess by, String address, Membership to) {
        EmailAddress from = new EmailAddress(address);
        var existing =
                by.lists.findActive(list).flatMap(found -> by.feature.store().find(found, from));
        try {
            if (existing.isPresent()
                    && by.feature
                                    .subscriptions()
                                    .move(
                                            new Membership(list, from),
                                            existing.get().etag(),
                                            to,
                                            Origin.admin("ada"))
                            instanceof EditResult.Saved) {
                witness.hasLeft(address);
            }
        } catch (StorageException closed) {
            baton.note("is refused: " + closed.reason());
            assertThat(closed.reason()).as(closed.toString()).isEqualTo(StorageException.Reason.UNAVAILABLE);
        }
    }

    private void pauseEditResume() {
        if (pause()) {
            rest(60);
            web.messages.findActive(ref).ifPresent(this::edit);
            resume();
        }
    }

    private void pauseResume() {
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            pause();
            rest(15);
            resume();
            rest(15);
        }
    }

    private boolean pause() {
        int resumed = witness.resumed();
        boolean paused = web.control.pause(ref, Reason.NONE);
        if (paused) {
            witness.hasPaused(resumed);
        }
        return paused;
    }

    /** Resumes the message. */
    void resume() {
        witness.resumes();
        web.control.resume(ref);
        witness.hasResumed();
    }

    private void edit(Versioned<Message> found) {
        OnUnknown onUnknown = found.value().onUnknown();
        Schedule schedule = new Schedule(found.value().scheduledDate(), ZoneOffset.UTC);
        Messages.Change change = new Messages.Change(
                found.value().audience(),
                Witness.EDITED,
                CHANGED_BODY.getBytes(StandardCharsets.UTF_8),
                null,
                null,
                null,
                schedule,
                onUnknown,
                null,
                Messages.Hold.AS_IT_WAS);
        if (web.messages.edit(ref, found.etag(), change) instanceof Messages.MessageEditResult.Edited) {
            witness.hasEdited();
        }
    }

    private void cancel() {
        if (web.control.cancel(ref)) {
            witness.hasEnded();
        }
    }

    /** Deletes the list. In some worlds, a new list of the same name with the same addresses replaces it. */
    private void deleteList() {
        deleted = web.listDeletion.begin(list);
        if (deleted && random.nextBoolean()) {
            baton.await(() -> baton.atOnce(() -> web.lists.find(list).isEmpty()), Duration.ofMinutes(15));
            if (baton.atOnce(() -> web.lists.find(list).isEmpty())) {
                if (endsTheMessage(baton.atOnce(() -> web.messages.find(ref).orElseThrow()))) {
                    witness.hasEnded();
                }
                made = true;
                makeAnother.run();
            }
        }
    }

    /**
     * Returns whether the deletion ends the message. A message that was Completed before may be sent again to the
     * people of its other list.
     */
    private boolean endsTheMessage(Message message) {
        boolean stays = message.status() == MessageStatus.COMPLETED
                && message.lists().stream().anyMatch(other -> !other.equals(list));
        return message.lists().contains(list) && !stays;
    }

    /** Returns whether a new list has the name of the deleted one. */
    boolean madeAnother() {
        return made;
    }

    /** Marks the recipients in doubt as Sent. */
    private void decide() {
        web.messages.find(ref).ifPresent(message -> web.decisions.markAllSent(message, "ada"));
    }

    private void again(Set<Outcome> whom) {
        againUntilItIsTaken(() -> web.reopening.reopen(ref, whom));
    }

    private void againToOne() {
        EmailAddress one = new EmailAddress("v%02d@crowd.test".formatted(random.nextInt(6)));
        againUntilItIsTaken(() -> web.reopening.reopen(ref, one));
    }

    private void againUntilItIsTaken(Supplier<Reopening.Answer> ask) {
        for (int tries = 0; tries < 4; tries++) {
            witness.resumes();
            Reopening.Answer answer = ask.get();
            witness.hasResumed();
            baton.note("is told " + answer);
            if (answer != Reopening.Answer.NOT_NOW) {
                return;
            }
            rest(90);
        }
    }
}
