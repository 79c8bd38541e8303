package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the scenarios of source 001 with real schedulers on Azurite, each with two slots and a lease of ten seconds,
 * and feeds of a real server. The tests run one after the other, because starting processes takes longer than anything
 * else. At the end of each, every watcher reads once on request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(900)
class WatcherProcessesIT {

    private WatcherProcesses processes;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        processes = WatcherProcesses.start(directory, "one", "two", "three");
        processes.create("a", "b", "c", "d");
        processes.eachRunsOnce("a", "b", "c", "d");
    }

    @AfterAll
    void stop() {
        if (processes != null) {
            processes.close();
        }
    }

    @Test
    @Order(1)
    @DisplayName("O-3, O-9: SIGKILL of a process that is stopping a watcher: that one ends, and the other one moves")
    void o3_o9_oneProcessIsKilled() throws Exception {
        processes.create("e");
        processes.eachRunsOnce("a", "b", "c", "d", "e");
        String process = processes.ownedBy("two").size() == 2 ? "two" : "three";
        List<String> its = processes.ownedBy(process);
        assertThat(its).hasSize(2);
        String ending = its.get(0);
        processes.feeds().hold(ending);
        processes.poke(ending);
        processes.feeds().awaitHeld(ending);
        assertThat(processes.delete(ending).status()).isEqualTo(202);
        assertThat(processes.status(ending)).isEqualTo("OnDeleting");

        processes.get(process).kill();
        processes.feeds().release(ending);

        processes.awaitEnd(ending);
        Awaitility.await("the other one runs elsewhere")
                .atMost(WatcherProcesses.TAKE_OVER)
                .until(() -> processes.owners().containsKey(its.get(1)));
        assertThat(processes.living()).hasSize(2).doesNotContain(process);
        processes.beginToStart(process);
        int readings = processes.feeds().readings(ending);
        processes.eachRunsOnce(processes.running());
        assertThat(processes.running()).hasSize(4).contains(its.get(1)).doesNotContain(ending);
        assertThat(processes.feeds().readings(ending)).as("never again").isEqualTo(readings);
        processes.awaitBirths(process);
    }

    @Test
    @Order(2)
    @DisplayName(
            "O-1, O-11: the storage is away, and for one process for longer: it stops its watchers itself, others have them, and each"
                    + " runs once")
    void o1_o11_theStorageIsAway() throws Exception {
        String[] names = processes.running();
        assertThat(names).hasSize(4);
        String process = processes.ownedBy("two").isEmpty() ? "three" : "two";
        assertThat(processes.ownedBy(process)).isNotEmpty();

        processes.cutOff("one", "two", "three");
        Awaitility.await("the end of every lease")
                .atMost(WatcherProcesses.TAKE_OVER)
                .pollDelay(WatcherProcesses.LEASE.plusSeconds(2))
                .until(() -> true);
        processes.connect("one", process.equals("two") ? "three" : "two");
        Awaitility.await("others have what it held")
                .atMost(WatcherProcesses.TAKE_OVER)
                .until(() ->
                        processes.owners().size() == 4 && !processes.owners().containsValue(process));
        processes.eachRunsOnce(names);

        processes.connect(process);
        processes.awaitLiving("one", "two", "three");
        assertThat(processes.get(process).log()).contains("taken for dead");
        processes.eachRunsOnce(names);
    }

    @Test
    @Order(3)
    @DisplayName(
            "O-2, O-4, O-5, O-10: SIGKILL of all: commands are refused until the next manager has heard of the births, all run as"
                    + " old as they were, who stays away counts no more, and one that waits is deleted")
    void o2_o4_o5_o10_allProcessesAreKilled() throws Exception {
        processes.create("f");
        String[] names = processes.running();
        assertThat(names).hasSize(5);
        Map<String, String> created = processes.createdAt();
        List<String> births = processes.births();

        processes.manager("stop");
        for (String process : List.of("one", "two", "three")) {
            processes.get(process).kill();
        }
        processes.beginToStart("one", "two");
        Awaitility.await("births that no manager has heard of")
                .atMost(WatcherProcesses.START)
                .until(() -> processes.births().size() >= births.size() + 2);
        assertThat(processes.tryToCreate("early").body()).contains("\"not-now\"");
        assertThat(processes.delete(names[0]).body()).contains("\"not-now\"");
        processes.manager("start");

        processes.awaitLiving("one", "two");
        Awaitility.await("four slots")
                .atMost(WatcherProcesses.TAKE_OVER)
                .until(() -> processes.owners().size() == 4);
        assertThat(processes.createdAt()).containsAllEntriesOf(created);
        assertThat(processes.capacity().<Integer>at("$.slots")).isEqualTo(4);
        assertThat(processes.capacity().<Integer>at("$.waiting")).isEqualTo(1);
        Awaitility.await("a manager that has heard of both")
                .atMost(WatcherProcesses.TAKE_OVER)
                .until(() -> processes.tryToCreate("late").body().contains("\"no-slot\""));
        processes.eachRunsOnce(processes.running());

        String waiting = List.of(names).stream()
                .filter(name -> !processes.owners().containsKey(name))
                .findFirst()
                .orElseThrow();
        int readings = processes.feeds().readings(waiting);
        assertThat(processes.delete(waiting).status()).isEqualTo(202);
        processes.awaitEnd(waiting);
        assertThat(processes.feeds().readings(waiting)).isEqualTo(readings);
    }

    @Test
    @Order(4)
    @DisplayName(
            "O-14: a process that has lost all its watchers lives on, and those of one that stops in order move to it")
    void o14_farewell() throws Exception {
        for (String name : processes.ownedBy("one")) {
            assertThat(processes.delete(name).status()).isEqualTo(202);
            processes.awaitEnd(name);
        }
        List<String> its = processes.ownedBy("two");
        assertThat(its).isNotEmpty();
        Awaitility.await("the end of every lease")
                .atMost(WatcherProcesses.TAKE_OVER)
                .pollDelay(WatcherProcesses.LEASE.plusSeconds(2))
                .until(() -> true);

        processes.get("two").stop().awaitEnd(30);
        assertThat(processes.living()).as("its farewell was its last act").containsExactly("one");

        Awaitility.await("a move")
                .atMost(WatcherProcesses.TAKE_OVER)
                .until(() -> processes.owners().keySet().containsAll(its)
                        && !processes.owners().containsValue("two"));
        processes.eachRunsOnce(processes.running());
    }
}
