package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.Page;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.junit.jupiter.api.Test;

/** Checks which finished imports are kept and listed. */
class PastImportsTest {

    private final ImportWorld imports = new ImportWorld();

    @Test
    void allImportsAreListedLatestFirst() throws Exception {
        List<ImportId> started = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            started.add(
                    0, imports.bring("email\np" + i + "@example.org\n", true).id());
            imports.world.time.advance(Duration.ofHours(1));
        }

        List<ImportId> listed = new ArrayList<>();
        Optional<ImportId> after = Optional.empty();
        do {
            Page<SubscriberImport> page = imports.imports().latest(after, 3);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(3);
            page.items().forEach(one -> listed.add(one.id()));
            after = Optional.ofNullable(page.continuation()).map(ImportId::new);
        } while (after.isPresent());

        assertThat(listed).isEqualTo(started);
    }

    @Test
    void onlyTheLatestImportsAreKept() throws Exception {
        for (int i = 0; i < ImportWorld.MOST + 3; i++) {
            imports.bring("email\np" + i + "@example.org\n", true);
            imports.world.time.advance(Duration.ofMinutes(1));
        }
        imports.world.time.advance(Duration.ofDays(2));

        imports.sweep().run();
        imports.sweep().run();

        assertThat(imports.imports().latest(Optional.empty(), 100).items()).hasSize(ImportWorld.MOST);
    }

    @Test
    void theSchedulerIsToldOfAnImportUntilItIsOver() throws Exception {
        ServiceChoreIndex chores = new ServiceChoreIndex(imports.world.simulated.tables());
        imports.bring("email\nann@example.org\n", true);
        assertThat(chores.of(ImportSweep.NAME)).isPresent();

        imports.world.time.advance(Duration.ofMinutes(6));
        imports.sweep().run();

        assertThat(chores.of(ImportSweep.NAME)).isEmpty();
    }

    @Test
    void firstAndLastNameBecomeTheNameWhereThereIsNoOther() {
        imports.bring(
                "Email;First Name;Last Name\nann@example.org;Ann;de Vries\nbob@example.org;;Smith\ncy@example.org;;\n",
                true);

        assertThat(imports.world.get("ann@example.org").profile().name()).isEqualTo("Ann de Vries");
        assertThat(imports.world.get("ann@example.org").profile().attributes()).containsEntry("first_name", "Ann");
        assertThat(imports.world.get("bob@example.org").profile().name()).isEqualTo("Smith");

        imports.bring("first_name,last_name,name,email\nAnn,B,Dr Ann B,ann@example.org\nBo,S,,bob@example.org\n", true);

        assertThat(imports.world.get("ann@example.org").profile().name()).isEqualTo("Dr Ann B");
        assertThat(imports.world.get("bob@example.org").profile().name()).isEqualTo("Bo S");
    }
}
