package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.storage.BlobStore;
import org.azuremail.work.service.ScheduledService;

/** Checks the records after everything has come to rest. */
record Aftermath(
        SimulatedWorld world,
        Witness witness,
        People people,
        MessageRef ref,
        int subscribers,
        Map<MessageRef, List<String>> neighbours) {

    void check() {
        lookOnceMore();
        Message message = world.find(ref);
        Books books = new Books(world, ref);
        Map<String, RecordedOutcome> outcomes = books.outcomes();
        checkRecipients(message, outcomes);
        books.assertBalanced();
        outcomes.forEach(this::check);
        checkMover();
        neighbours.forEach(this::checkNeighbour);
        checkBodies();
    }

    /** Checks that a message that no person changed reached all its recipients. */
    private void checkNeighbour(MessageRef neighbour, List<String> readers) {
        Books books = new Books(world, neighbour);
        Map<String, RecordedOutcome> outcomes = books.outcomes();
        assertThat(world.find(neighbour).status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(readers);
        books.assertBalanced();
        outcomes.forEach((address, recorded) -> {
            assertThat(recorded.outcome()).as(address).isIn(Outcome.SENT, Outcome.UNKNOWN);
            check(address, recorded);
        });
    }

    /**
     * Checks that a message's bodies exist as long as the message, and that bodies of refused or replaced edits are
     * deleted within a day.
     */
    private void checkBodies() {
        world.time.advance(Duration.ofDays(2));
        try {
            for (ScheduledService sweep : world.process.sweeps) {
                sweep.run();
            }
        } catch (Exception thrown) {
            throw new AssertionError("a sweep threw", thrown);
        }
        List<String> named = Stream.concat(Stream.of(ref), neighbours.keySet().stream())
                .map(world::find)
                .flatMap(message -> Stream.of(
                        MessageBlobs.htmlName(message.ref(), message.content().revision()),
                        MessageBlobs.textName(message.ref(), message.content().revision())))
                .toList();
        assertThat(world.storage.blobs().stream(MessageBlobs.CONTAINER, ""))
                .as("bodies")
                .extracting(BlobStore.BlobInfo::name)
                .containsExactlyInAnyOrderElementsOf(named);
    }

    /** Checks that a subscriber who moved during the fan-out was mailed at only one of both addresses. */
    private void checkMover() {
        checkMover(People.MOVED, People.MOVER);
        checkMover(People.CHANGED, People.CHANGER);
    }

    private void checkMover(String now, String before) {
        if (witness.timesTaken(now, 0) > 0) {
            assertThat(witness.timesTaken(before, 0))
                    .as("mailed at the old address too")
                    .isZero();
        }
    }

    /** Runs the scheduler again. One of the runs deletes an index row that was written when the message was final. */
    private void lookOnceMore() {
        for (int look = 0; look < 2; look++) {
            world.time.advance(Duration.ofSeconds(70));
            world.process.look();
        }
    }

    /** Checks I1: each person who was subscribed at fan-out has an outcome, unless the fan-out was cut short. */
    private void checkRecipients(Message message, Map<String, RecordedOutcome> outcomes) {
        List<String> expected = new ArrayList<>();
        message.lists().forEach(list -> expected.addAll(SimulatedWorld.verified(list.value(), subscribers)));
        if (message.lists().contains(People.ELSEWHERE)) {
            expected.addAll(People.TWICE);
        }
        if (message.audience().segment() != null) {
            expected.removeIf(address -> !address.startsWith("v0"));
        }
        List<String> either = List.of(
                People.LEAVER,
                People.MOVER,
                People.MOVED,
                People.ERASED,
                People.LEAVER_THERE,
                People.LEAVER_OF_ONE,
                People.CHANGER,
                People.CHANGED);
        assertThat(outcomes.keySet()).isSubsetOf(join(expected, either));
        expected.removeAll(either);
        if (message.status() == MessageStatus.COMPLETED) {
            assertThat(outcomes.keySet()).containsAll(expected);
        } else {
            assertThat(message.status()).isIn(MessageStatus.CANCELLED, MessageStatus.FAILED);
        }
        if (message.status() == MessageStatus.FAILED) {
            assertThat(people.deletedTheList())
                    .as("it failed: " + message.result().reason())
                    .isTrue();
        }
    }

    private static List<String> join(List<String> some, List<String> others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private void check(String address, RecordedOutcome recorded) {
        Outcome outcome = recorded.outcome();
        if (outcome == Outcome.SENT && !recorded.detailText().startsWith("marked as sent")) {
            assertThat(witness.timesTaken(address))
                    .as("Sent, so taken: " + address)
                    .isPositive();
        }
        boolean doubted = witness.wasInDoubt(recorded.rowKey(), recorded.generation());
        if (outcome == Outcome.SKIPPED || (outcome == Outcome.FAILED && !doubted)) {
            assertThat(witness.timesTaken(address, recorded.generation()))
                    .as(outcome + ", so not taken: " + address)
                    .isZero();
        }
        if (outcome == Outcome.FAILED) {
            assertThat(address).isEqualTo(SlowProvider.REFUSED);
        }
        if (outcome == Outcome.SKIPPED && !recorded.detailText().equals("cancelled") && !people.deletedTheList()) {
            assertThat(new EmailAddress(address).value())
                    .isIn(
                            People.LEAVER,
                            People.MOVER,
                            People.ERASED,
                            People.LEAVER_THERE,
                            People.LEAVER_OF_ONE,
                            People.CHANGER);
        }
    }
}
