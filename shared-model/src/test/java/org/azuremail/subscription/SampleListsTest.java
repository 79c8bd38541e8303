package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.address;

import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.junit.jupiter.api.Test;

class SampleListsTest {

    private final SubscriptionWorld world = new SubscriptionWorld();

    @Test
    void theTutorialsListsAreThereWithTheirGuids() {
        assertThat(world.feature.samples().load(ADMIN))
                .containsExactly(new ListName("contoso1"), new ListName("fabrikam1"));
        world.feature.samples().load(ADMIN);

        MailingList contoso =
                world.lists.find(new ListName("contoso1")).orElseThrow().value();
        assertThat(contoso.description()).isEqualTo("Contoso University History Department announcements");
        assertThat(world.store().counts(contoso)).isEqualTo(new SubscriberCounts(1, 1, 0, 0, 0));
        Subscriber student = world.store()
                .find(contoso, address("student1@domain.com"))
                .orElseThrow()
                .value();
        assertThat(student.guid().value()).endsWith(".6f32b03b-90ed-41a9-b8ac-c1310c67b66a");
        assertThat(world.subscriptions().leave(contoso.name(), student.guid(), LINK))
                .isInstanceOf(LeaveResult.Left.class);
        Invariants.check(world.tables(), contoso);
    }

    @Test
    void thereArePeopleInEveryStateAndLoadingTwiceChangesNobody() {
        world.feature.samples().load(ADMIN);
        MailingList list =
                world.lists.find(SampleLists.WITH_PEOPLE).orElseThrow().value();
        SubscriberCounts counts = world.store().counts(list);
        assertThat(counts.byState().values()).allMatch(count -> count > 0);
        assertThat(counts.total()).isEqualTo(SampleLists.people().size() + 1);
        assertThat(SampleLists.people()).allMatch(one -> one.value().endsWith("@example.org"));
        world.subscriptions().leave(list.name(), SampleLists.people().get(0), LINK);
        SubscriberCounts changed = world.store().counts(list);

        world.feature.samples().load(ADMIN);

        assertThat(world.store().counts(list)).isEqualTo(changed);
        Invariants.check(world.tables(), list);
    }
}
