package org.azuremail.subscription.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import org.azuremail.reason.Reason;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the import of files that this service or another one exported, with people in every state. */
class ImportedExportTest {

    private final ImportWorld imports = new ImportWorld();
    private final SubscriptionWorld world = imports.world;

    @AfterEach
    void countsAndSatellitesFit() {
        world.checkInvariants();
    }

    @Test
    void anExportCanBeImportedAgain() {
        imports.bring("email,name,city\nann@example.org,Ann,Ulm\nbob@example.org,\"=cmd()\",\"a \"\"b\"\"\"\n", true);
        world.subscriptions().leave(LIST, address("bob@example.org"), LINK);

        String export = imports.export();
        SubscriberImport again = imports.bring(export, true);

        assertThat(export.lines().findFirst()).contains("email,name,state,verified,created_at,left_at,city");
        assertThat(export).contains("bob@example.org,'=cmd(),Unsubscribed,false,");
        assertThat(again.counts()).isEqualTo(new SubscriberImport.Counts(2, 0, 1, 1, 0, 0));
        assertThat(world.list().attributes()).containsExactly("city");
    }

    /** Every admin exports, corrects two cells in a spreadsheet and imports the file again. */
    @Test
    void cellsThatTheExportMadeHarmlessAreReadAsTheyWere() {
        imports.bring("email,name,phone,note\nann@example.org,=Ann,+44 1225 383838,\"a;-b;'c\"\n", true);
        Profile before = world.get("ann@example.org").profile();

        String export = imports.export();
        imports.bring(export, true);

        assertThat(export).contains("'=Ann", "'+44 1225 383838");
        assertThat(before.attributes()).containsEntry("phone", "+44 1225 383838");
        assertThat(world.get("ann@example.org").profile()).isEqualTo(before);
    }

    @Test
    void anExportOfAnotherListSubscribesNobodyWhoIsNotSubscribedThere() {
        SubscriberImport done = imports.bring("""
                email,name,state,verified,created_at,left_at
                ann@example.org,Ann,Subscribed,true,2026-01-01T12:00:00Z,
                bob@example.org,Bob,Unsubscribed,false,2026-01-01T12:00:00Z,2026-01-02T12:00:00Z
                cy@example.org,Cy,Suppressed,false,2026-01-01T12:00:00Z,
                dee@example.org,Dee,Unconfirmed,false,2026-01-01T12:00:00Z,
                """, true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(4, 2, 0, 2, 0, 0));
        assertThat(world.state("ann@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.state("dee@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(imports.imports().refused(done.id(), 3))
                .extracting(Imports.RefusedRow::reason)
                .containsExactly(
                        Reason.of(ImportReason.ROW_NO_EMAIL, "state", "Unsubscribed"),
                        Reason.of(ImportReason.ROW_NO_EMAIL, "state", "Suppressed"));
    }

    @Test
    void anExportOfThisListLeavesUnconfirmedPeopleUnconfirmed() {
        world.subscribe("dee@example.org");

        imports.bring(imports.export().replace("dee@example.org,", "dee@example.org,Dee"), true);

        assertThat(world.get("dee@example.org").profile().name()).isEqualTo("Dee");
        assertThat(world.state("dee@example.org")).isEqualTo(SubscriberState.UNCONFIRMED);
    }

    /** Mailchimp exports a file for each of three states, listmonk one file for all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Email Address,First Name,UNSUB_TIME\nann@example.org,Ann,\nbob@example.org,Bob,2023-02-03 04:05:06\n",
                "Email Address,First Name,CLEAN_TIME\nann@example.org,Ann,\nbob@example.org,Bob,2023-02-03 04:05:06\n",
                "uuid,email,name,attributes,status\n1,ann@example.org,Ann,{},enabled\n2,bob@example.org,Bob,{},blocklisted\n",
                "uuid,email,name,attributes,status\n1,ann@example.org,Ann,{},enabled\n2,bob@example.org,Bob,{},disabled\n",
                "email,name,State\nann@example.org,Ann,CA\nbob@example.org,Bob,UNSUBSCRIBED\n"
            })
    void peopleWhoGetNoEmailElsewhereAreNotSubscribed(String file) {
        SubscriberImport done = imports.bring(file, true);

        assertThat(done.counts()).isEqualTo(new SubscriberImport.Counts(2, 1, 0, 1, 0, 0));
        assertThat(world.state("ann@example.org")).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(imports.imports().refused(done.id(), 3)).singleElement().satisfies(row -> assertThat(
                        row.reason().is(ImportReason.ROW_NO_EMAIL))
                .isTrue());
    }
}
