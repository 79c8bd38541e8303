package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Profile.ProfileReason;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the people and the rows of an imported file. */
class ImportTest {

    private final ImportWorld imports = new ImportWorld();
    private final SubscriptionWorld world = imports.world;

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void aVerifiedImportSubscribesAndMailsNobody() {
        SubscriberImport done = imports.bring("""
                Email,Name,Favourite Colour
                Ann@example.org,Ann,green
                bob@example.org,"Smith, Bob",
                """, true);

        assertThat(done.state()).isEqualTo(SubscriberImport.State.COMPLETED);
        assertThat(done.total()).isEqualTo(2);
        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 2, 0, 0, 0, 0));
        Subscriber ann = world.get("ann@example.org");
        assertThat(ann.state()).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(ann.address().value()).isEqualTo("Ann@example.org");
        assertThat(ann.profile()).isEqualTo(new Profile("Ann", Map.of("favourite_colour", "green")));
        assertThat(ann.consent().declarations().get(0).by()).isEqualTo("ada@example.org");
        assertThat(world.get("bob@example.org").profile()).isEqualTo(new Profile("Smith, Bob", Map.of()));
        assertThat(world.list().attributes()).containsExactly("city", "favourite_colour");
        assertThat(world.drainQueue()).isEmpty();
        assertThat(world.rowKeys()).noneMatch(key -> key.startsWith("wait:"));
        assertThat(world.subscriptions().leave(LIST, ann.guid(), LINK)).isInstanceOf(LeaveResult.Left.class);
    }

    @Test
    void anUnverifiedImportAddsUnconfirmedPeopleAndUnsubscribesNobody() {
        world.subscribed("ann@example.org");

        SubscriberImport done = imports.bring("email\nann@example.org\nbob@example.org\n", false);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 1, 1, 0, 0, 0));
        assertThat(world.state("ann@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(world.drainQueue()).isEmpty();
    }

    @Test
    void aVerifiedImportSubscribesUnconfirmedPeople() {
        world.subscribe("bob@example.org");

        imports.bring("email\nbob@example.org\n", true);

        assertThat(world.state("bob@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void unsubscribedAndSuppressedPeopleStaySo() {
        world.subscribed("left@example.org");
        world.subscriptions().leave(LIST, address("left@example.org"), LINK);
        world.subscribed("back@example.org");
        world.subscriptions().leave(LIST, address("back@example.org"), LINK);
        world.subscribe("back@example.org");
        world.subscribed("bad@example.org");
        world.subscriptions().suppress(LIST, address("bad@example.org"), ADMIN);

        SubscriberImport done = imports.bring(
                "email,name\nleft@example.org,L\nback@example.org,B\nbad@example.org,S\nnew@example.org,N\n", true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(4, 1, 0, 3, 0, 0));
        assertThat(world.state("left@example.org")).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(world.state("back@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(world.state("bad@example.org")).isEqualTo(SubscriberState.SUPPRESSED);
        assertThat(imports.refusedCsv(done.id()).lines())
                .containsExactly(
                        "row,email,reason,name",
                        "2,left@example.org,\"unsubscribed on 2026-01-01; an import does not subscribe people again\",L",
                        "3,back@example.org,\"unsubscribed on 2026-01-01; an import does not subscribe people again\",B",
                        "4,bad@example.org,suppressed: no email may be sent to this address,S");
    }

    /** Otherwise both the old and the new address would get emails. */
    @Test
    void aChangeOfAddressThatIsNotFinishedIsLeftAlone() {
        world.subscribed("old@example.org");
        String seen = world.find("old@example.org").etag();
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE
                        && world.store()
                                .find(world.list(), address("new@example.org"))
                                .isPresent()) {
                    throw new IllegalStateException("the process dies");
                }
            }
        });
        Membership from = new Membership(LIST, address("old@example.org"));
        Membership to = new Membership(LIST, address("new@example.org"));
        assertThatIllegalStateException().isThrownBy(() -> world.subscriptions().move(from, seen, to, ADMIN));
        world.simulated.hook(CallHook.NONE);

        SubscriberImport done = imports.bring("email\nold@example.org\nnew@example.org\n", true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 0, 0, 2, 0, 0));
        assertThat(world.state("old@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.state("new@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    @Test
    void badRowsAreReportedByLineAndHarmlessInASpreadsheet() {
        SubscriberImport done = imports.bring(
                "name,email\nA,ann@example.org\nB,not an address\n\nC,\nD,=1+1@nowhere\nE,@x\n" + "F," + "x".repeat(400)
                        + "\n",
                true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(6, 1, 0, 5, 0, 0));
        assertThat(imports.refusedCsv(done.id()).lines().limit(5))
                .containsExactly(
                        "row,email,reason,name",
                        "3,not an address,not an email address,B",
                        "5,,no email address,C",
                        "6,'=1+1@nowhere,not an email address,D",
                        "7,'@x,not an email address,E");
    }

    @Test
    void rowsWithMoreThanAPersonCanHaveAreRefusedWithACode() {
        String longest = ("," + "x".repeat(Profile.MAX_VALUE)).repeat(7);
        imports.bring("email,a,b,c,d,e,f,g\nann@example.org" + longest + "\n", true);

        SubscriberImport done = imports.bring(
                "email,h,i,j,k,l,m,n,name\nann@example.org" + longest + ",\nbob@example.org,,,,,,,,"
                        + "x".repeat(MailingList.MAX_LINE + 1) + "\n",
                true);

        assertThat(imports.imports().refused(done.id(), 3))
                .extracting(Imports.RefusedRow::reason)
                .containsExactly(
                        Reason.of(ProfileReason.PERSON_VALUES, Profile.MAX_TOTAL),
                        Reason.of(ProfileReason.PERSON_NAME, MailingList.MAX_LINE));
        assertThat(world.get("ann@example.org").profile().attributes()).doesNotContainKey("h");
    }

    @Test
    void aFileThatWouldGiveTheListTooManyAttributesIsRefusedWithACode() {
        String max = IntStream.range(0, MailingList.MAX_ATTRIBUTES)
                .mapToObj(i -> ",column" + i)
                .collect(Collectors.joining());
        assertThat(world.list().attributes()).isNotEmpty();

        SubscriberImport done = imports.bring("email" + max + "\nann@example.org\n", true);

        assertThat(done.state()).isEqualTo(SubscriberImport.State.FAILED);
        assertThat(done.reason()).isEqualTo(Reason.of(ImportReason.FILE_MORE_ATTRIBUTES, MailingList.MAX_ATTRIBUTES));
        assertThat(done.reason())
                .hasToString("With the columns of this file, the list would have more than 50 attributes.");
    }

    @Test
    void theSameAddressTwiceInAFileIsOneSubscriber() {
        SubscriberImport done = imports.bring(
                "email,city\nann@example.org,Ulm\nbob@example.org,\nANN@example.org,Bonn\nann@example.org,\n"
                        + "x@example.org,\nann@example.org,Kiel\n",
                true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(6, 3, 3, 0, 3, 0));
        assertThat(world.get("ann@example.org").profile().attributes()).containsEntry("city", "Kiel");
    }

    @Test
    void repeatingAFileUpdatesEverybodyAndWritesNobody() {
        String file = "email,city\n"
                + IntStream.range(0, 50)
                        .mapToObj(i -> "p" + i + "@example.org,Ulm\n")
                        .collect(Collectors.joining());
        imports.bring(file, true);
        String before = world.rows("news.").stream()
                .filter(row -> row.rowKey().startsWith("email:"))
                .map(row -> row.key() + row.etag())
                .collect(Collectors.joining());

        SubscriberImport again = imports.bring(file, true);

        assertThat(again.counts()).isEqualTo(new SubscriberImport.Counts(50, 0, 50, 0, 0, 0));
        assertThat(world.rows("news.").stream()
                        .filter(row -> row.rowKey().startsWith("email:"))
                        .map(row -> row.key() + row.etag())
                        .collect(Collectors.joining()))
                .isEqualTo(before);
    }

    @Test
    void blankCellsKeepKnownValues() {
        imports.bring("email,name,city\nann@example.org,Ann,Ulm\n", true);

        imports.bring("email,name,city,shoe\nann@example.org,,,39\n", true);

        assertThat(world.get("ann@example.org").profile())
                .isEqualTo(new Profile("Ann", Map.of("city", "Ulm", "shoe", "39")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EMAIL,Name\nann@example.org,Ann\n",
                "\uFEFFemail,name\r\nann@example.org,Ann\r\n",
                "Name;E-Mail\nAnn;ann@example.org\n",
                "E-mail Address\tFull Name\nann@example.org\tAnn\n",
                "\"name\",\"Email_Address\"\n\"Ann\",\" ann@example.org \"",
                "\"a;b;c;d\",email,name\nx,ann@example.org,Ann\n"
            })
    void headersAndSeparatorsAreFoundAsPeopleWriteThem(String file) {
        SubscriberImport done = imports.bring(file, true);

        assertThat(done.reason().none()).isTrue();
        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(1, 1, 0, 0, 0, 0));
        assertThat(world.get("ann@example.org").profile().name()).isEqualTo("Ann");
    }

    @Test
    void columnsWithReservedNamesGetAnotherAttributeName() {
        imports.bring("email,unsubscribe,list,City,city\nann@example.org,1,2,Ulm,Bonn\n", true);

        assertThat(world.get("ann@example.org").profile().attributes())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("unsubscribe_2", "1", "list_2", "2", "city", "Ulm", "city_2", "Bonn"));
    }

    @Test
    void aFileWithoutAnAddressColumnIsRefusedWithItsHeader() {
        SubscriberImport done = imports.bring("ann@example.org,Ann\nbob@example.org,Bob\n", true);

        assertThat(done.state()).isEqualTo(SubscriberImport.State.FAILED);
        assertThat(done.reason())
                .asString()
                .contains("has no column for the email address")
                .contains("ann@example.org, Ann");
    }

    @Test
    void anEmptyFileAndAnUnclosedQuoteAreRefusedWithTheirReason() {
        assertThat(imports.bring("", true).reason()).asString().startsWith("The file is empty");
        assertThat(imports.bring("email\n\"ann@example.org\n" + "x\n".repeat(200_000), true)
                        .reason())
                .asString()
                .contains("Check whether a closing quote is missing");
        assertThat(imports.bring("email\n\"ann@example.org\"x,\n", true).reason())
                .asString()
                .contains("Line 2 is not valid CSV");
        assertThat(imports.bring("email\nbob@example.org\n\n\"ann@example.org\"x", true)
                        .reason())
                .asString()
                .contains("Line 4 is not valid CSV");
        assertThat(imports.bring("email\nbob@example.org\n\n\"ann@example.org", true)
                        .reason())
                .asString()
                .contains("A quote that opens in line 4 is never closed.");
    }

    @Test
    void a67_valuesOfTypedFieldsAreStoredAsTheirFieldSaysAndBadOnesRefusedWithTheirLine() {
        FieldStore fields = new FieldStore(world.tables(), world.lists, world.time);
        ListFields typed = new ListFields(
                List.of(
                        new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), true, true),
                        new Field("points", "Points", FieldType.NUMBER, List.of(), true, false),
                        new Field("size", "T-shirt", FieldType.CHOICE, List.of("Small", "Large"), false, true)),
                Set.of(),
                Set.of(),
                1);
        assertThat(fields.save(world.list(), typed, "")).isInstanceOf(FieldStore.FieldSaveResult.Done.class);

        SubscriberImport done = imports.bring("""
                email,birthday,points,size
                ann@example.org,29 February,7.50,LARGE
                bob@example.org,30 February,1,Small
                cy@example.org,1 March,many,Small
                dee@example.org,1 March,1,Medium
                eve@example.org,,,
                """, true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(5, 2, 0, 3, 0, 0));
        assertThat(world.get("ann@example.org").profile().attributes())
                .isEqualTo(Map.of("birthday", "2000-02-29", "points", "7.5", "size", "Large"));
        assertThat(world.get("eve@example.org").profile().attributes()).isEmpty();
        assertThat(imports.refusedCsv(done.id()).lines())
                .satisfiesExactly(
                        header -> assertThat(header).isEqualTo("row,email,reason,birthday,points,size"),
                        birthday -> assertThat(birthday)
                                .startsWith("3,bob@example.org,")
                                .contains("Birthday"),
                        points -> assertThat(points)
                                .startsWith("4,cy@example.org,")
                                .contains("Points"),
                        size -> assertThat(size)
                                .startsWith("5,dee@example.org,")
                                .contains("T-shirt")
                                .contains("Small, Large"));
    }
}
