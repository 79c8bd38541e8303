package org.azuremail.subscription;

import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.edit.AdminEdits;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/** The two lists of the tutorial with its subscribers, to try the service with. */
public final class SampleLists {

    private static final String GUID_END = "-90ed-41a9-b8ac-c1310c67b66a";
    private static final List<Sample> SAMPLES = List.of(
            new Sample(
                    "contoso1",
                    "Contoso University History Department announcements",
                    "donotreply@contoso.edu",
                    List.of(
                            new Person("student1@domain.com", "6f32b03b", true),
                            new Person("student2@domain.com", "01234567", false))),
            new Sample(
                    "fabrikam1",
                    "Fabrikam Engineering job postings",
                    "donotreply@fabrikam.com",
                    List.of(new Person("applicant1@domain.com", "76543210", true))));

    private final ListStore lists;
    private final AdminEdits edits;
    private final Time time;

    SampleLists(ListStore lists, AdminEdits edits, Time time) {
        this.lists = lists;
        this.edits = edits;
        this.time = time;
    }

    private record Sample(String name, String description, String from, List<Person> people) {}

    private record Person(String address, String guidStart, boolean verified) {}

    /**
     * Makes the lists and their subscribers where they are missing; repeating it changes nothing.
     *
     * @return the names of the lists that are there now
     */
    public List<ListName> load(Origin origin) {
        return SAMPLES.stream().map(sample -> load(sample, origin)).toList();
    }

    private ListName load(Sample sample, Origin origin) {
        ListName name = new ListName(sample.name());
        Mailbox from = new Mailbox(new EmailAddress(sample.from()), "");
        lists.create(MailingList.of(name, sample.description(), from, OptIn.DOUBLE, time.instant()));
        lists.find(name).map(Versioned::value).filter(list -> !list.deleting()).ifPresent(list -> sample.people()
                .forEach(person -> add(list, person, origin)));
        return name;
    }

    private void add(MailingList list, Person person, Origin origin) {
        EmailAddress address = new EmailAddress(person.address());
        SubscriberGuid guid = new SubscriberGuid(list.shardOf(address) + "." + person.guidStart() + GUID_END);
        edits.add(list, address, guid, Profile.NONE, person.verified(), origin);
    }
}
