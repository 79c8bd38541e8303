package org.azuremail.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.attention.Cause.Kind;
import org.azuremail.attention.ReportedCauses.ReportedCausesStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** Checks when admins are emailed about which cause, whatever happened before. */
class ReportedCausesTest {

    private final ManualTime time = new ManualTime();
    private final Storage storage = new SimulatedStorage(time).storage();
    private final ReportedCausesStore store = new ReportedCausesStore(storage);

    private static Cause stopped(String work) {
        return Cause.posted(Kind.WORK_STOPPED, "/operations/start", new Cause.Field("name", work), work, "ann");
    }

    private static Cause waiting(String transport) {
        return Cause.posted(
                Kind.PROVIDER_WAITING, "/operations/try", new Cause.Field("transport", transport), transport, "down");
    }

    private static Cause deadLetters(long letters) {
        return Cause.linked(Kind.DEAD_LETTERS, "", "/dead-letters", letters).sized(letters);
    }

    private static Cause ended(String... processes) {
        return Cause.linked(Kind.PROCESS_ENDED, "mill", "/operations", "mill").about(List.of(processes));
    }

    private static Cause deaf(String... processes) {
        return Cause.linked(Kind.PROCESS_DEAF, "mill", "/operations", "mill").about(List.of(processes));
    }

    /** Checks for problems and emails those that are due, each time in a process that knows only the row. */
    private List<Cause> look(Cause... causes) {
        ReportedCausesStore.StoredCauses known = store.read();
        ReportedCauses.ReportPlan plan = known.causes().plan(List.of(causes), time.instant());
        assertThat(store.write(
                        known,
                        plan.due().isEmpty() ? plan.seen() : plan.marked().sure(time.instant())))
                .isTrue();
        return plan.due();
    }

    private void later(Duration duration) {
        time.advance(duration);
    }

    @Test
    void aCauseIsToldOnceWhileItLasts() {
        assertThat(look(stopped("a"))).containsExactly(stopped("a"));

        IntStream.range(0, 50).forEach(n -> {
            later(Duration.ofMinutes(10));
            assertThat(look(stopped("a"))).isEmpty();
        });
    }

    @Test
    void limitation32_anotherCauseOfTheKindWaitsForTheHourToPass() {
        look(stopped("a"));
        later(Duration.ofMinutes(1));
        assertThat(look(stopped("a"), stopped("b"))).isEmpty();
        assertThat(store.read()
                        .causes()
                        .plan(List.of(stopped("a"), stopped("b")), time.instant())
                        .again())
                .contains(time.instant().plus(Duration.ofMinutes(59)));

        later(Duration.ofMinutes(59));

        assertThat(look(stopped("a"), stopped("b"))).containsExactly(stopped("b"));
    }

    @Test
    void limitation32_aCauseThatEndsAndReturnsIsToldAgainAfterTheHour() {
        look(stopped("a"));
        later(Duration.ofMinutes(10));
        look();
        later(Duration.ofMinutes(10));
        assertThat(look(stopped("a"))).isEmpty();

        later(Duration.ofMinutes(40));

        assertThat(look(stopped("a"))).containsExactly(stopped("a"));
    }

    @Test
    void causesOfOtherKindsAreToldAtOnce() {
        look(stopped("a"));
        assertThat(look(stopped("a"), deadLetters(1))).containsExactly(deadLetters(1));
    }

    @Test
    void moreOfTheSameIsNewsAndLessIsNot() {
        look(deadLetters(3));
        later(Duration.ofHours(2));
        assertThat(look(deadLetters(2))).isEmpty();
        later(Duration.ofHours(2));
        assertThat(look(deadLetters(3))).containsExactly(deadLetters(3));
    }

    @Test
    void aPartThatTookThePlaceOfAnotherOneIsNews() {
        look(ended("first", "second"));
        later(Duration.ofHours(2));
        assertThat(look(ended("second"))).isEmpty();
        later(Duration.ofHours(2));
        assertThat(look(ended("third"))).containsExactly(ended("third"));
        later(Duration.ofHours(2));
        assertThat(look(ended("third"))).isEmpty();
    }

    @Test
    void eachPartHasToLastAsLongAsItsKind() {
        look(deaf("first"));
        later(Duration.ofMinutes(5));
        assertThat(look(deaf("first"))).hasSize(1);
        later(Duration.ofHours(1));

        assertThat(look(deaf("first", "second"))).isEmpty();
        later(Duration.ofMinutes(5));
        assertThat(look(deaf("first", "second"))).hasSize(1);
    }

    @Test
    void problemsThatOftenEndByThemselvesAreToldOnlyWhenTheyLast() {
        assertThat(look(waiting("smtp"))).isEmpty();
        later(Duration.ofMinutes(4));
        assertThat(look(waiting("smtp"))).isEmpty();
        later(Duration.ofMinutes(1));
        assertThat(look(waiting("smtp"))).containsExactly(waiting("smtp"));
    }

    @Test
    void anEmailThatMayBeLostIsSentAgainAnHourLaterAndNotBefore() {
        ReportedCausesStore.StoredCauses known = store.read();
        store.write(
                known,
                known.causes().plan(List.of(stopped("a")), time.instant()).marked());

        later(Duration.ofMinutes(59));
        assertThat(look(stopped("a"))).isEmpty();
        later(Duration.ofMinutes(1));
        assertThat(look(stopped("a"))).containsExactly(stopped("a"));
    }

    @Test
    void aHoldThatNobodyCouldBeToldOfIsToldAfterItsEnd() {
        Instant began = time.instant();
        ReportedCausesStore.StoredCauses known = store.read();
        store.write(known, known.causes().plan(List.of(waiting("smtp")), began).seen());
        later(Duration.ofMinutes(30));
        known = store.read();
        ReportedCauses.ReportPlan plan = known.causes().plan(List.of(waiting("smtp")), time.instant());
        assertThat(plan.due()).containsExactly(waiting("smtp"));
        store.write(known, plan.seen());

        later(Duration.ofMinutes(30));
        List<Cause> due = look();

        assertThat(due).singleElement().satisfies(waited -> {
            assertThat(waited.kind()).isEqualTo(Kind.PROVIDER_WAITED);
            assertThat(waited.values()).containsExactly("smtp", began);
        });
        later(Duration.ofHours(2));
        assertThat(look()).isEmpty();
        assertThat(store.read().causes()).isEqualTo(ReportedCauses.NONE);
    }

    @Test
    void aHoldThatWasToldEndsWithoutAWord() {
        look(waiting("smtp"));
        later(Duration.ofMinutes(6));
        look(waiting("smtp"));
        later(Duration.ofHours(3));
        assertThat(look()).isEmpty();
    }

    @Test
    void howTheServiceIsSetUpIsForTheDashboardAlone() {
        assertThat(look(
                        Cause.linked(Kind.NO_MAIL_SERVER, "", "/settings"),
                        Cause.unlinked(Kind.LINKS_LOCAL, "http://x")))
                .isEmpty();
    }

    @Test
    void theRowStaysSmallHoweverMuchNeedsAPerson() {
        Cause[] many =
                IntStream.range(0, 5000).mapToObj(n -> stopped("work-" + n)).toArray(Cause[]::new);
        assertThat(look(many)).hasSize(20);
    }
}
