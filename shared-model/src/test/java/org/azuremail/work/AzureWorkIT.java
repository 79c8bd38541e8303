package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.id.CompactIdsContract;
import org.azuremail.limit.RateLimitContract;
import org.azuremail.storage.Storage;
import org.azuremail.storage.azure.RealTime;
import org.azuremail.storage.azure.TestStorage;
import org.azuremail.time.Time;
import org.azuremail.work.run.HandlingContract;
import org.azuremail.work.run.LeasesContract;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.WorkBench;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Runs the runtime's contracts that {@link WorkContractsIT} does not run, on the test account, whose clock cannot be
 * driven.
 */
class AzureWorkIT {

    private abstract static class OnAzure implements WorkContract {

        @Override
        public Storage storage() {
            return TestStorage.shared();
        }

        @Override
        public Time time() {
            return Time.system();
        }

        @Override
        public void letPass(Duration duration) {
            RealTime.letPass(duration);
        }
    }

    @Nested
    class Handling extends OnAzure implements HandlingContract {}

    @Nested
    class OfLeases extends OnAzure implements LeasesContract {}

    @Nested
    @DisplayName("I6: every third answer is lost")
    class WithLostAnswers {

        private final WorkBench bench = new WorkBench(HastyQueues.of(TestStorage.losingEvery(3)), Time.system());

        @Nested
        class OfLeases extends OnAzure implements LeasesContract {

            private final Storage losing = TestStorage.losingEvery(3);

            @Override
            public Storage storage() {
                return losing;
            }
        }

        @Test
        void everyItemIsHandledAndThePoisonIsADeadLetter() {
            Set<String> stored = new TreeSet<>();
            for (int i = 0; i < 20; i++) {
                stored.add("item " + i);
                bench.queues.put(new Sheet("item " + i));
            }
            bench.queues.put(new Sheet("poison"));
            Set<String> handled = new TreeSet<>();
            QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
                if (sheet.text().equals("poison")) {
                    throw new IllegalStateException("cannot read sheet");
                }
                handled.add(sheet.text());
                return WorkResult.DONE;
            });

            await().atMost(Duration.ofSeconds(60)).until(() -> runner.runOnce() == 0 && bench.itemsLeft() == 0);

            assertThat(handled).isEqualTo(stored);
            assertThat(bench.deadLetterPage()).isNotEmpty().allSatisfy(letter -> assertThat(
                            bench.type.read(letter.text()))
                    .isEqualTo(new Sheet("poison")));
        }
    }

    @Nested
    class Ids implements CompactIdsContract {
        @Override
        public Storage storage() {
            return TestStorage.shared();
        }
    }

    @Nested
    class Limits implements RateLimitContract {
        @Override
        public Storage storage() {
            return TestStorage.shared();
        }
    }
}
