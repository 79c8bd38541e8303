package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.work.service.Delivery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks an import from its upload to its deletion, with any interruptions. */
class ImportLifeTest {

    private final ImportWorld imports = new ImportWorld();
    private final SubscriptionWorld world = imports.world;

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    /** While the first upload sleeps, another file is uploaded under the same id. */
    @Test
    void ofTwoFilesUnderOneIdOneIsImportedAndTheOtherIsRefused() throws IOException {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            ImportWorld fresh = new ImportWorld();
            ImportId id = fresh.nextId();
            List<Imports.ImportStartResult> second = new ArrayList<>();
            SleepAt sleeper = new SleepAt(call, () -> second.add(upload(fresh, id, "email\nbob@example.org\n")));
            fresh.world.simulated.hook(sleeper);
            Imports.ImportStartResult first = upload(fresh, id, "email\nann@example.org\n");
            fresh.world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            fresh.run(id);

            boolean ann = first instanceof Imports.ImportStartResult.Started;
            assertThat(fresh.world
                            .store()
                            .find(fresh.world.list(), address("ann@example.org"))
                            .isPresent())
                    .as("ann, at call " + call)
                    .isEqualTo(ann);
            assertThat(fresh.world
                            .store()
                            .find(fresh.world.list(), address("bob@example.org"))
                            .isPresent())
                    .as("bob, at call " + call)
                    .isEqualTo(!ann);
            assertThat(second)
                    .as("at call " + call)
                    .allMatch(other -> ann == other instanceof Imports.ImportStartResult.AnotherFile);
        }
    }

    private static Imports.ImportStartResult upload(ImportWorld world, ImportId id, String file) {
        try {
            InputStream content = new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8));
            Imports.Upload upload = new Imports.Upload(content, "", Optional.empty());
            return world.imports().start(id, LIST, upload, true, ADMIN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anUnknownListAndATooLargeFileAreRefusedAtOnce() throws IOException {
        byte[] large = new byte[1024 * 1024 + 1];
        assertThat(imports.imports()
                        .start(
                                imports.nextId(),
                                LIST,
                                new Imports.Upload(new ByteArrayInputStream(large), "", Optional.empty()),
                                true,
                                ADMIN))
                .isEqualTo(new Imports.ImportStartResult.TooLarge(1024 * 1024));
        assertThat(imports.imports()
                        .start(
                                imports.nextId(),
                                new ListName("nope"),
                                new Imports.Upload(new ByteArrayInputStream(large), "", Optional.empty()),
                                true,
                                ADMIN))
                .isInstanceOf(Imports.ImportStartResult.NoSuchList.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void deletingTheListEndsTheImport() {
        ImportId id = imports.start("email\nann@example.org\n", true);
        world.lists.markDeleting(LIST);

        assertThat(imports.run(id).reason()).asString().contains("no longer exists");
    }

    @Test
    void anImportWithALostItemIsQueuedAgain() throws Exception {
        ImportId id = imports.start("email\nann@example.org\n", true);
        assertThat(world.storage.queues().receive(ImportItem.TYPE.queue(), 1, Duration.ofDays(7)))
                .hasSize(1);

        world.time.advance(Duration.ofMinutes(11));
        imports.sweep().run();

        assertThat(world.storage.queues().peek(ImportItem.TYPE.queue(), 9))
                .extracting(item -> item.text())
                .containsExactly(id.value());
    }

    @Test
    void oldImportsAndTheirFilesAreDeleted() throws Exception {
        SubscriberImport done = imports.bring("email\nann@example.org\nbad\n", true);
        assertThat(world.rowKeys()).anyMatch(key -> key.startsWith("!import:"));
        assertThat(files()).hasSize(1);

        world.time.advance(Duration.ofDays(2));
        imports.sweep().run();
        assertThat(world.rowKeys()).noneMatch(key -> key.startsWith("!import:"));
        assertThat(files()).isEmpty();
        assertThat(imports.refusedCsv(done.id())).contains("bad");

        world.time.advance(Duration.ofDays(30));
        imports.sweep().run();
        assertThat(imports.imports().find(done.id())).isEmpty();
        assertThat(imports.refusedCsv(done.id())).doesNotContain("bad");
    }

    @Test
    void theFileOfAnImportThatWasNeverCreatedIsDeletedAfterADay() throws Exception {
        world.simulated.hook(new CallHook() {
            private boolean stored;

            @Override
            public void before(Call call) {
                if (stored) {
                    throw new ProcessDied();
                }
                stored = call.place().equals(Imports.CONTAINER) && call.kind().changes();
            }
        });
        assertThatThrownBy(() -> imports.start("email\nann@example.org\n", true))
                .isInstanceOf(ProcessDied.class);
        world.simulated.hook(CallHook.NONE);

        imports.sweep().run();
        assertThat(files()).as("the process may still be running").hasSize(1);
        world.time.advance(Duration.ofDays(1).plusMinutes(1));
        imports.sweep().run();
        assertThat(files()).isEmpty();
    }

    private List<BlobInfo> files() {
        return world.simulated.blobs().stream(Imports.CONTAINER, "").toList();
    }

    @Test
    void aFileForAListThatWasDeletedIsNotImportedIntoTheNextOne() {
        ImportId id = imports.start("Email\nann@example.org\n", true);
        MailingList next = world.list();
        world.lists.markDeleting(LIST);
        world.lists.remove(LIST);
        world.lists.create(Lists.with(next, "createdAt", next.createdAt().plusSeconds(60)));

        SubscriberImport ended = imports.run(id);

        assertThat(ended.state()).isEqualTo(SubscriberImport.State.FAILED);
        assertThat(ended.reason()).isEqualTo(Reason.of(ImportReason.IMPORT_LIST_GONE, "news"));
        assertThat(world.store().counts(world.list()).total()).isZero();
    }

    @Test
    void anImportThatABugStopsIsGivenUpAtTheTwentiethDelivery() {
        ImportId id = imports.start("email\nann@example.org\n", true);
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals(Imports.CONTAINER)) {
                    throw new IllegalStateException("a bug");
                }
            }
        });

        for (int delivery = 1; delivery < 20; delivery++) {
            Delivery next = Deliveries.number(delivery);
            assertThatIllegalStateException().isThrownBy(() -> imports.run(id, next));
            assertThat(imports.get(id).state()).isEqualTo(SubscriberImport.State.RUNNING);
        }
        SubscriberImport last = imports.run(id, Deliveries.number(20));

        assertThat(last.state()).isEqualTo(SubscriberImport.State.FAILED);
        assertThat(last.reason().is(ImportReason.IMPORT_BROKE)).isTrue();
    }

    /** Another process finished the import meanwhile, and its progress was removed. */
    @Test
    void aProcessThatSleptForDaysBringsNobodyBackWhoWasErased() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            ImportWorld slow = new ImportWorld(4, 2);
            ImportId id = slow.start("email\nann@example.org\nbob@example.org\n", true);
            SleepAt sleeper = new SleepAt(call, () -> {
                slow.restart(slow.world.simulated.storage());
                slow.run(id);
                slow.world.subscriptions().erase(LIST, address("ann@example.org"), ADMIN);
                slow.world.time.advance(Duration.ofDays(2));
                sweep(slow);
            });
            slow.world.simulated.hook(sleeper);
            slow.run(id);
            slow.world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            if (reached) {
                assertThat(slow.world.store().find(slow.world.list(), address("ann@example.org")))
                        .as("at call " + call)
                        .isEmpty();
                assertThat(slow.world.rowKeys()).as("at call " + call).noneMatch(key -> key.startsWith("!import:"));
                assertThat(slow.get(id).counts().imported())
                        .as("at call " + call)
                        .isEqualTo(2);
            }
        }
    }

    private static void sweep(ImportWorld world) {
        try {
            world.sweep().run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
