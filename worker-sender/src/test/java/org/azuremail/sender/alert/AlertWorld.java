package org.azuremail.sender.alert;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Role;
import org.azuremail.attention.Admins;
import org.azuremail.attention.Cause;
import org.azuremail.attention.ReportedCauses.ReportedCausesStore;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.Unavailable;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.FixedRoutes;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;

/** Senders on a simulated storage, a provider that records its emails, and causes that need a person. */
final class AlertWorld {

    final ManualTime time = ManualTime.thatSleepsByItself();
    final SimulatedStorage simulated = new SimulatedStorage(time);
    final List<MailLot> given = new ArrayList<>();
    final List<Cause> causes = new ArrayList<>();
    Optional<Unavailable> away = Optional.empty();
    Function<String, Answer> answers = to -> new Answer.Accepted("id");
    boolean sending;

    AlertWorld() {
        simulated.tables().createTable("work");
        ListStore lists = new ListStore(simulated.tables());
        simulated.tables().createTable(ListStore.TABLE);
        lists.create(MailingList.of(
                new ListName("news"),
                "The News",
                new Mailbox(new EmailAddress("news@example.org"), "News"),
                OptIn.DOUBLE,
                time.instant()));
        new Admins(simulated.storage());
        admin("ann@example.org", true);
    }

    void admin(String address, boolean wanted) {
        Values account = Values.builder()
                .put(Admins.EMAIL, address)
                .put(Admins.NO_ALERTS, wanted ? null : true)
                .build();
        new Table(simulated.tables(), Admins.TABLE)
                .write(Admins.PARTITION, Write.upsert(Admins.PREFIX + address, account));
    }

    /** Creates a new process. */
    Alerts process(Storage storage) {
        ListStore lists = new ListStore(storage.tables());
        AzureMailProperties product = new AzureMailProperties(
                AzureMailProperties.StorageKind.EMBEDDED,
                Path.of("data"),
                URI.create("https://lists.example.org"),
                ZoneOffset.UTC,
                Set.of(Role.SENDER));
        Route route = new Route(
                "smtp",
                new Provider(),
                mails -> RateLimitWait.NONE,
                new Breaker(storage, time, "smtp", (unused, state) -> {}),
                WhenFull.WAIT,
                new EmailCounts());
        Routes routes = FixedRoutes.of(List.of(route), List.of("smtp"));
        return new Alerts(
                () -> new Alerts.Check(List.copyOf(causes), sending),
                new ReportedCausesStore(storage),
                new Admins(storage)::alertRecipients,
                new AlertMails(lists, product, new AlertProperties(null)),
                new AlertSender(routes, time),
                time);
    }

    Alerts process() {
        return process(simulated.storage());
    }

    void later(Duration duration) {
        time.advance(duration);
    }

    private final class Provider implements MailTransport {

        @Override
        public int lotSize() {
            return 1;
        }

        @Override
        public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
            return away;
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            given.add(lot);
            return HandOverResult.same(
                    1, answers.apply(lot.mails().get(0).to().address().value()));
        }
    }
}
