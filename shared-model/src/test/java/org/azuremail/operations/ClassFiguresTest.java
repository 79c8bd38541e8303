package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.mailclass.MailClasses;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the figures that are shown for each class (R8, R9, R12, R13). */
class ClassFiguresTest extends OnOperations {

    private ClassFigures figures(String... settings) {
        return new ClassFigures(ClassSettings.classes(settings), operations, time);
    }

    private static ClassFigures.Figures of(String name, ClassFigures figures) {
        return figures.all().stream()
                .filter(one -> one.mailClass().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName(
            "R8, R9, R12: of all processes together: waits, what kept to the target, what starved, places and looks")
    void r8_r9_r12_theFiguresOfAllProcessesTogether() {
        sender(
                        2,
                        "mill",
                        Map.of(
                                "seconds", "3600",
                                "places/azuremailqueue-high", "4",
                                "places/azuremailsubscribequeue", "8",
                                "work/azuremailqueue-high/begun", "3 10",
                                "work/azuremailqueue-high/late", "1 2",
                                "work/azuremailqueue-high/wait-0", "2 8",
                                "work/azuremailqueue-high/wait-40", "1 2",
                                "work/azuremailqueue-high/looks", "20 90",
                                "work/azuremailqueue-high/empty", "17 80"))
                .heartbeat();
        sender(
                        3,
                        "barn",
                        Map.of(
                                "seconds", "3600",
                                "places/azuremailsubscribequeue", "8",
                                "work/azuremailsubscribequeue/begun", "7 7",
                                "work/azuremailsubscribequeue/late", "0 0",
                                "work/azuremailsubscribequeue/wait-0", "7 7",
                                "work/azuremailqueue-low/starved", "5 6"))
                .heartbeat();
        storage.queues().createQueue("azuremailqueue-high");
        storage.queues().send("azuremailqueue-high", "x", Duration.ZERO);
        time.advance(Duration.ofSeconds(90));

        ClassFigures.Figures high = of("High", figures());

        assertThat(high.waiting()).isEqualTo(1);
        assertThat(high.oldest()).isEqualTo(Duration.ofSeconds(90));
        assertThat(high.median()).isEqualTo(Duration.ofMillis(10));
        assertThat(high.most()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(18));
        assertThat(high.withinTarget()).isEqualTo(0.9);
        assertThat(high.places()).isEqualTo(20);
        assertThat(high.looks()).isEqualTo(20);
        assertThat(high.emptyLooks()).isEqualTo(17);
        assertThat(high.starved()).isZero();
    }

    @Test
    @DisplayName(
            "R12: each class shows the places of its queues; confirmations and test emails have their own in a strict pool too")
    void r12_aClassHasThePlacesOfItsQueues() {
        Map<String, String> facts = Map.of(
                "seconds", "3600",
                "places/azuremailqueue-high", "8",
                "places/azuremailqueue-low", "8",
                "places/azuremailsubscribequeue", "6",
                "places/azuremailtestqueue", "4");
        sender(2, "mill", facts).heartbeat();
        sender(3, "barn", facts).heartbeat();

        for (ClassFigures classes : List.of(figures(), figures("pool=strict"))) {
            assertThat(of("High", classes).places()).isEqualTo(36);
            assertThat(of("Low", classes).places()).isEqualTo(16);
        }
    }

    @Test
    void ofAClassThatHadNothingToDoNothingIsTold() {
        ClassFigures.Figures low = of("Low", figures());

        assertThat(low.median()).isNull();
        assertThat(low.most()).isNull();
        assertThat(low.withinTarget()).isNull();
        assertThat(low.oldest()).isNull();
        assertThat(low.stop()).isNull();
        assertThat(low.closedFor()).isZero();
    }

    @Test
    @DisplayName("P-3, R13: a class is suspended and resumed by its name; confirmations go on")
    void p3_r13_aClassIsSuspendedAndResumed() {
        sender(2, "mill", Map.of("seconds", "3600", "places/azuremailqueue-high", "4"))
                .heartbeat();

        assertThat(figures().suspend("HIGH", "ann")).isPresent();
        assertThat(figures().suspend("Urgent", "ann")).isEmpty();

        assertThat(of("High", figures()).stop())
                .satisfies(stop -> assertThat(stop.by()).isEqualTo("ann"));
        assertThat(operations.overview().queues())
                .filteredOn(queue -> queue.name().equals(CONFIRMATIONS))
                .allSatisfy(queue -> assertThat(queue.stop()).isNull());
        figures().resume("high");
        assertThat(of("High", figures()).stop()).isNull();
    }

    @Test
    void hoursAndTheQueuesOfAClassAreTold() {
        ClassFigures.Figures low = of("Low", figures("of.low.hours=00:00-00:01"));

        assertThat(low.closedFor()).isPositive();
        assertThat(low.queues()).containsExactly("azuremailqueue-low");
        assertThat(of("High", figures()).queues())
                .containsExactly("azuremailqueue-high", "azuremailsubscribequeue", "azuremailtestqueue");
        assertThat(figures().queues()).hasSize(5);
    }

    @Test
    void aQueueWhoseClassWasRemovedIsShownWhileItemsWaitThere() {
        MailClasses before = ClassSettings.classes("order=High,Normal,Low,Bulk");
        MailClasses now = ClassSettings.classes();
        assertThat(new ClassQueues(storage, before).former()).isEmpty();
        former = new ClassQueues(storage, now).former();
        assertThat(former).containsExactly("azuremailqueue-bulk");

        assertThat(operations.overview().queues())
                .extracting(Overview.Queue::name)
                .doesNotContain("azuremailqueue-bulk");
        storage.queues().send("azuremailqueue-bulk", "left");
        later();
        assertThat(operations.overview().queues())
                .filteredOn(Overview.Queue::abandoned)
                .extracting(Overview.Queue::name)
                .containsExactly("azuremailqueue-bulk");
        assertThat(new WorkNames(now).queue("azuremailqueue-bulk")).contains("bulk", "removed");
    }

    @Test
    void aQueueIsNamedWithItsClass() {
        WorkNames workNames = new WorkNames(ClassSettings.classes());

        assertThat(workNames.label("azuremailqueue")).isEqualTo("List emails, Normal");
        assertThat(workNames.label("azuremailqueue-low")).isEqualTo("List emails, Low");
        assertThat(workNames.label("azuremailqueue-low-p2")).isEqualTo("List emails, Low");
        assertThat(workNames.label("azuremailsubscribequeue")).isEqualTo("Confirmation emails");
        assertThat(workNames.label("due-messages")).isEqualTo("Starting due messages");
        assertThat(workNames.called("due-messages")).isEqualTo("Starting due messages (due-messages)");
        assertThat(workNames.called("unheard-of")).isEqualTo("unheard-of");
    }
}
