package org.azuremail.subscription;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;

/** The two lists and the subscribers of the tutorial, plus some invented people, for trying out the service. */
public record SampleLists(ListStore lists, AdminEdits edits, Subscriptions subscriptions, Time time) {

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

    /** The list to which {@link #PEOPLE} are added. Their addresses are reserved and belong to nobody (RFC 2606). */
    public static final ListName WITH_PEOPLE = new ListName("fabrikam1");

    private static final List<String> PEOPLE =
            List.of(("Aiko Tanaka, Amara Okafor, Ana Silva, Anders Holm, Beatriz Costa, Carlos Vega, Chen Wei, "
                            + "Dana Levi, Elif Kaya, Emma Dubois, Farid Haddad, Giulia Rossi, Hannah Weber, Ivan Petrov, "
                            + "Jamal Reed, Joana Pinto, Kofi Mensah, Lars Berg, Leila Nasser, Liam Murphy, Lucia Moreno, "
                            + "Maja Nowak, Marek Svoboda, Mei Ling, Mina Park, Nia Jones, Noah Smith, Olga Ivanova, "
                            + "Omar Farouk, Priya Nair, Rosa Diaz, Sami Laine, Sofia Greco, Tariq Aziz, Tess de Vries, "
                            + "Uma Rao, Yara Haddad, Zoe Martin")
                    .split(", "));
    private static final List<String> CITIES = List.of("Bern", "Lagos", "Lisbon", "Oslo", "Porto", "Seoul");

    private record Sample(String name, String description, String from, List<Person> people) {}

    private record Person(String address, String guidStart, boolean verified) {}

    /** Returns the addresses of the invented people, most of whom are subscribed. */
    public static List<EmailAddress> people() {
        return PEOPLE.stream().map(SampleLists::address).toList();
    }

    /**
     * Creates the lists and their subscribers unless they exist. Existing subscribers are not changed.
     *
     * @return the names of the lists that exist afterwards
     */
    public List<ListName> load(Origin origin) {
        List<ListName> loaded =
                SAMPLES.stream().map(sample -> load(sample, origin)).toList();
        lists.findActive(WITH_PEOPLE).ifPresent(list -> {
            for (int i = 0; i < PEOPLE.size(); i++) {
                add(list, i, origin);
            }
        });
        return loaded;
    }

    private ListName load(Sample sample, Origin origin) {
        ListName name = new ListName(sample.name());
        Mailbox from = new Mailbox(new EmailAddress(sample.from()), "");
        lists.create(MailingList.of(name, sample.description(), from, OptIn.DOUBLE, time.instant()));
        lists.findActive(name).ifPresent(list -> sample.people().forEach(person -> add(list, person, origin)));
        return name;
    }

    private void add(MailingList list, Person person, Origin origin) {
        EmailAddress address = new EmailAddress(person.address());
        SubscriberGuid guid = new SubscriberGuid(list.shardOf(address) + "." + person.guidStart() + GUID_END);
        edits.add(list, address, guid, Profile.NONE, person.verified(), origin);
    }

    /**
     * Adds one person. One in nine has not confirmed, one in eleven has unsubscribed, and one in seventeen is
     * suppressed.
     */
    private void add(MailingList list, int number, Origin origin) {
        String name = PEOPLE.get(number);
        EmailAddress address = address(name);
        Profile profile = new Profile(name, Map.of("city", CITIES.get(number % CITIES.size())));
        boolean verified = number % 9 != 8;
        if (!(edits.add(list, address, profile, verified, origin) instanceof EditResult.Saved)) {
            return;
        }
        if (number % 11 == 10) {
            subscriptions.leave(list.name(), address, origin);
        } else if (number % 17 == 16) {
            subscriptions.suppress(list.name(), address, origin);
        }
    }

    private static EmailAddress address(String name) {
        return new EmailAddress(name.toLowerCase(Locale.ROOT).replace(' ', '.') + "@example.org");
    }
}
