package org.azuremail.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.azuremail.app.Features;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKind.SecretSetting;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.route.Routes;
import org.azuremail.sending.SecretBox;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.transport.outbox.OutboxTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Checks a sender whose transports are added, changed and removed while it sends. */
class ChangingTransportsTest {

    private static final String KEY = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    private static final String OTHER_KEY = "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ConfigurationPropertiesAutoConfiguration.class))
            .withUserConfiguration(TransportsTest.Surroundings.class, Kinds.class, Transports.class)
            .withUserConfiguration(Features.of("mail", "sending", "route"))
            .withPropertyValues("azuremail.secrets.key=" + KEY);

    static class Kinds {

        @Bean
        TransportKind<?> outboxKind(org.azuremail.outbox.OutboxStore store) {
            return new TransportKind<>("outbox", None.class, 0, none -> new OutboxTransport(store));
        }

        private final List<Pigeon> opened = new ArrayList<>();

        @Bean
        TransportKind<?> pigeon() {
            return new TransportKind<>("pigeon", Feathers.class, 3, feathers -> {
                Pigeon pigeon = new Pigeon(feathers);
                opened.add(pigeon);
                return pigeon;
            });
        }
    }

    record None() {}

    record Feathers(
            @DefaultValue("7") int number,
            @SecretSetting @Nullable String whistle) {}

    private static final class Pigeon implements MailTransport, AutoCloseable {

        private final Feathers feathers;
        private boolean closed;
        private Runnable during = () -> {};

        private Pigeon(Feathers feathers) {
            this.feathers = feathers;
        }

        @Override
        public int lotSize() {
            return feathers.number();
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            during.run();
            return closed
                    ? HandOverResult.same(lot.mails().size(), new Answer.Unknown(org.azuremail.reason.Reason.NONE))
                    : HandOverResult.same(lot.mails().size(), new Answer.Accepted("by " + feathers.whistle()));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static StoredTransport pigeon(ApplicationContext context, int number, String whistle) {
        String sealed = context.getBean(SecretBox.class).seal(StoredTransport.purpose("bird", "whistle"), whistle);
        return new StoredTransport(
                "bird",
                "pigeon",
                Map.of("number", String.valueOf(number)),
                Map.of("whistle", sealed),
                WhenFull.WAIT,
                Instant.EPOCH,
                "ann");
    }

    private static void later(ApplicationContext context, Duration by) {
        ((ManualTime) context.getBean(Time.class)).advance(by);
    }

    private static MailTransport picked(ApplicationContext context) {
        Routes routes = context.getBean(Transports.class).routes();
        Attempt attempt = new Attempt("test", context.getBean(Time.class), () -> true);
        return ((Routes.Pick.Selected) routes.pick(null, attempt)).route().transport();
    }

    private static void add(ApplicationContext context, StoredTransport transport) {
        TransportDirectory directory = context.getBean(TransportDirectory.class);
        assertThat(directory.save(transport, null)).isTrue();
        assertThat(directory.reorder(directory.order(), List.of(transport.name())))
                .isTrue();
        later(context, Duration.ofSeconds(5));
    }

    private static HandOverResult send(MailTransport transport) {
        return transport.handOver(
                new MailLot(TestMails.content("one", "Hello", "<p>Hello</p>", "Hello"), TestMails.mails(1)),
                () -> true);
    }

    @Test
    void aTransportIsTakenUpChangedAndLostWithoutARestart() {
        runner.run(context -> {
            TransportDirectory directory = context.getBean(TransportDirectory.class);
            assertThat(picked(context).lotSize()).isEqualTo(99);
            add(context, pigeon(context, 5, "low"));
            assertThat(picked(context).lotSize()).isEqualTo(5);
            assertThat(send(picked(context)).answers()).containsExactly(new Answer.Accepted("by low"));

            String etag = directory.refresh().added().get("bird").etag();
            assertThat(directory.save(pigeon(context, 6, "high"), etag)).isTrue();
            later(context, Duration.ofSeconds(5));
            assertThat(send(picked(context)).answers()).containsExactly(new Answer.Accepted("by high"));

            etag = directory.refresh().added().get("bird").etag();
            assertThat(directory.remove("bird", etag)).isTrue();
            later(context, Duration.ofSeconds(5));
            assertThat(picked(context).lotSize()).isEqualTo(99);
        });
    }

    @Test
    void aLotThatIsUnderWayIsFinishedByTheTransportThatBeganIt() {
        runner.run(context -> {
            TransportDirectory directory = context.getBean(TransportDirectory.class);
            Transports transports = context.getBean(Transports.class);
            add(context, pigeon(context, 5, "low"));
            RefCountedTransport before = (RefCountedTransport) picked(context);
            Pigeon pigeon = context.getBean(Kinds.class).opened.get(0);
            List<HandOverResult> result = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            pigeon.during = () -> {
                begun.countDown();
                await(mayEnd);
            };
            Thread sender = new Thread(() -> result.add(send(before)));
            sender.start();
            await(begun);

            directory.remove("bird", directory.refresh().added().get("bird").etag());
            later(context, Duration.ofMinutes(10));
            transports.get();
            later(context, Duration.ofMinutes(10));
            transports.get();
            assertThat(pigeon.closed).isFalse();
            mayEnd.countDown();
            sender.join();
            assertThat(result).singleElement().satisfies(over -> assertThat(over.answers())
                    .containsExactly(new Answer.Accepted("by low")));
            assertThat(pigeon.closed).isTrue();
            HandOverResult late = send(before);
            assertThat(late.answers())
                    .as("nothing leaves, nobody is in doubt")
                    .containsExactly(new Answer.NotAttempted());
            assertThat(late.unavailable().orElseThrow().reason().is(ReasonCode.TRANSPORT_CHANGED))
                    .isTrue();
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void savingTheSameAgainKeepsTheTransportAndItsConnections() {
        runner.run(context -> {
            TransportDirectory directory = context.getBean(TransportDirectory.class);
            StoredTransport bird = pigeon(context, 5, "low");
            add(context, bird);
            MailTransport before = picked(context);
            StoredTransport again = new StoredTransport(
                    "bird",
                    "pigeon",
                    bird.settings(),
                    bird.secrets(),
                    WhenFull.WAIT,
                    Instant.EPOCH.plusSeconds(9),
                    "bob");
            assertThat(directory.save(
                            again, directory.refresh().added().get("bird").etag()))
                    .isTrue();
            later(context, Duration.ofSeconds(5));
            assertThat(directory.recent().added().get("bird").value().changedBy())
                    .isEqualTo("bob");
            assertThat(picked(context)).isSameAs(before);
        });
    }

    @Test
    void underAnotherKeyMailWaitsAndNothingIsPaused() {
        runner.withPropertyValues("azuremail.secrets.key=" + OTHER_KEY).run(context -> {
            TransportDirectory directory = context.getBean(TransportDirectory.class);
            StoredTransport sealedHere = pigeon(context, 5, "low");
            StoredTransport elsewhere = new StoredTransport(
                    "bird",
                    "pigeon",
                    sealedHere.settings(),
                    Map.of("whistle", "v1.0123456789ab.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
                    WhenFull.WAIT,
                    Instant.EPOCH,
                    "ann");
            directory.save(elsewhere, null);
            directory.reorder(directory.order(), List.of("bird"));
            later(context, Duration.ofSeconds(5));
            Routes routes = context.getBean(Transports.class).routes();
            Routes.Pick pick = routes.pick(null, new Attempt("test", context.getBean(Time.class), () -> true));
            Unavailable why = ((Routes.Pick.None) pick).unavailable();
            assertThat(why.kind()).isEqualTo(Unavailable.Kind.WAIT);
            assertThat(why.reason().words()).contains("bird", "encryption key", "azuremail.secrets.old-keys");

            directory.save(sealedHere, directory.refresh().added().get("bird").etag());
            later(context, Duration.ofSeconds(5));
            assertThat(send(picked(context)).answers()).containsExactly(new Answer.Accepted("by low"));
        });
    }
}
