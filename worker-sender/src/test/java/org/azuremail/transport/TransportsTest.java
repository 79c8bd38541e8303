package org.azuremail.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Features;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKinds;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.transport.sendgrid.SendGridProperties;
import org.azuremail.transport.smtp.ScriptedSmtpServer;
import org.azuremail.transport.smtp.SmtpProperties;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Checks that settings choose the transport, and that a wrong setting keeps the process from starting and is named. */
class TransportsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ConfigurationPropertiesAutoConfiguration.class, ValidationAutoConfiguration.class))
            .withConfiguration(AutoConfigurations.of(ours()))
            .withUserConfiguration(Surroundings.class, Transports.class)
            .withUserConfiguration(Features.of("mail", "sending", "route"));

    /** Returns our own automatic configurations, as an application finds them. */
    private static Class<?>[] ours() {
        ClassLoader loader = TransportsTest.class.getClassLoader();
        return ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
                .filter(name -> name.startsWith("org.azuremail."))
                .map(name -> ClassUtils.resolveClassName(name, loader))
                .toArray(Class<?>[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AzureMailProperties.class)
    static class Surroundings {

        @Bean
        Time time() {
            return new ManualTime();
        }

        @Bean
        IdSource ids() {
            return new SeededIds(1);
        }

        @Bean
        Storage storage(Time time) {
            return new SimulatedStorage(time).storage();
        }

        @Bean
        OutboxStore outbox(Storage storage, Time time, IdSource ids) {
            return new OutboxStore(storage, time, ids);
        }

        @Bean
        Signals signals() {
            return Signals.NONE;
        }
    }

    @Test
    void withoutSettingsMailStaysInTheOutbox() {
        runner.run(context -> {
            assertThat(transport(context, "outbox").name()).isEqualTo("OutboxTransport");
            MailProperties mail = context.getBean(MailProperties.class);
            assertThat(startingRate(context)).isZero();
            assertThat(mail.onUnknown()).isEqualTo(OnUnknown.HOLD);
        });
    }

    @Test
    void smtpNeedsAHostAndStartsCautiously() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=mail.contoso.edu",
                        "azuremail.mail.smtp.starttls=true")
                .run(context -> {
                    assertThat(transport(context, "smtp").name()).isEqualTo("SmtpTransport");
                    assertThat(startingRate(context)).isEqualTo(10);
                    SmtpProperties smtp = bound(context, "smtp", SmtpProperties.class);
                    assertThat(smtp.port()).isEqualTo(587);
                    assertThat(smtp.starttls()).isEqualTo(Starttls.ON);
                    assertThat(smtp.connections()).isEqualTo(10);
                    assertThat(transport(context, "smtp").concurrency()).isEqualTo(9);
                });
        runner.withPropertyValues("azuremail.mail.transport=smtp")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("must name the SMTP server"));
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=x",
                        "azuremail.mail.smtp.connections=0")
                .run(context -> assertThat(context).hasFailed());
    }

    @ParameterizedTest
    @CsvSource({"https://lists.contoso.edu,lists.contoso.edu", "http://mail_host:8080,localhost"})
    void anSmtpServerIsGreetedByTheNameOfThePublicUrl(String url, String name) {
        try (ScriptedSmtpServer server = new ScriptedSmtpServer()) {
            runner.withPropertyValues(
                            "azuremail.public-url=" + url,
                            "azuremail.mail.transport=smtp",
                            "azuremail.mail.smtp.host=localhost",
                            "azuremail.mail.smtp.port=" + server.port())
                    .run(context -> assertThat(transport(context, "smtp").prepare(() -> true))
                            .isEmpty());
            assertThat(server.commands()).startsWith("EHLO " + name);
        }
    }

    @Test
    void falseMeansNoStarttls() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp",
                        "azuremail.mail.smtp.host=x",
                        "azuremail.mail.smtp.starttls=false")
                .run(context -> assertThat(
                                bound(context, "smtp", SmtpProperties.class).starttls())
                        .isEqualTo(Starttls.OFF));
    }

    @Test
    void sendGridNeedsAKey() {
        runner.withPropertyValues("azuremail.mail.transport=sendgrid", "azuremail.mail.sendgrid.api-key=SG.x")
                .run(context -> {
                    assertThat(transport(context, "sendgrid").name()).isEqualTo("SendGridTransport");
                    assertThat(bound(context, "sendgrid", SendGridProperties.class)
                                    .batchSize())
                            .isEqualTo(250);
                    assertThat(bound(context, "sendgrid", SendGridProperties.class)
                                    .endpoint())
                            .hasHost("api.sendgrid.com");
                });
        runner.withPropertyValues("azuremail.mail.transport=sendgrid").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("must be set where SendGrid takes the mail"));
        runner.withPropertyValues(
                        "azuremail.mail.transport=sendgrid",
                        "azuremail.mail.sendgrid.api-key=SG.x",
                        "azuremail.mail.sendgrid.batch-size=1001")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void anotherTransportIsUnknown() {
        runner.withPropertyValues("azuremail.mail.transport=pigeon").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("azuremail.mail.transport with value 'pigeon'")
                .hasMessageContaining("[outbox, sendgrid, smtp]"));
        runner.withPropertyValues("azuremail.mail.transports.a.kind=pigeon").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("azuremail.mail.transports.a.kind with value 'pigeon'"));
    }

    @ParameterizedTest
    @CsvSource({"SMTP,smtp", "send-grid,sendgrid", "Outbox,outbox", "'',outbox"})
    void kindsMayBeWrittenAsTheyAlwaysMight(String written, String kind) {
        runner.withPropertyValues(
                        "azuremail.mail.transport=" + written,
                        "azuremail.mail.smtp.host=x",
                        "azuremail.mail.sendgrid.api-key=SG.x")
                .run(context -> assertThat(transport(context, kind).name()).isEqualToIgnoringCase(kind + "Transport"));
    }

    record Feathers(int number, boolean white) {}

    private ApplicationContextRunner withPigeons() {
        return runner.withBean(
                TransportKind.class, () -> new TransportKind<>("pigeon", Feathers.class, 3, Pigeon::new));
    }

    private record Pigeon(Feathers feathers) implements MailTransport, AutoCloseable {

        private static int closed;

        @Override
        public int lotSize() {
            return feathers.number;
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            return HandOverResult.same(lot.mails().size(), new Answer.Accepted(null));
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void anotherKindNeedsOnlyABeanAndItsSettings() {
        Pigeon.closed = 0;
        withPigeons()
                .withPropertyValues("azuremail.mail.transport=pigeon", "azuremail.mail.pigeon.number=7")
                .run(context -> {
                    assertThat(transport(context, "pigeon").lotSize()).isEqualTo(7);
                    assertThat(startingRate(context)).isEqualTo(3);
                    assertThat(context.getBean(MailProperties.class).sendsExternally())
                            .isTrue();
                });
        assertThat(Pigeon.closed).isEqualTo(1);
        withPigeons()
                .withPropertyValues(
                        "azuremail.mail.transports.a.kind=pigeon",
                        "azuremail.mail.transports.a.pigeon.number=8",
                        "azuremail.mail.transports.b.kind=outbox",
                        "azuremail.mail.order=b,a")
                .run(context -> assertThat(transport(context, "a").lotSize()).isEqualTo(8));
    }

    @Test
    void aKindWithTheNameOfAnotherKeepsTheProcessFromStarting() {
        runner.withBean(TransportKind.class, () -> new TransportKind<>("smtp", Feathers.class, 3, Pigeon::new))
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("are called smtp"));
    }

    @Test
    void aProcessThatKnowsNoKindsStartsWithAnySettings() {
        new ApplicationContextRunner()
                .withUserConfiguration(Features.of("mail"))
                .withPropertyValues("azuremail.mail.transport=pigeon")
                .run(context -> assertThat(startingRate(context)).isZero());
    }

    @Test
    void aRateOfOnesOwnWins() {
        runner.withPropertyValues(
                        "azuremail.mail.transport=smtp", "azuremail.mail.smtp.host=x", "azuremail.mail.rate=0")
                .run(context -> assertThat(startingRate(context)).isZero());
        runner.withPropertyValues("azuremail.mail.rate=-1")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void severalTransportsHaveNamesAnOrderAndRatesOfTheirOwn() {
        runner.withPropertyValues(
                        "azuremail.mail.transports.relay.kind=smtp",
                        "azuremail.mail.transports.relay.smtp.host=relay.contoso.edu",
                        "azuremail.mail.transports.relay.rate-per-day=500",
                        "azuremail.mail.transports.relay.when-full=next",
                        "azuremail.mail.transports.second-relay.kind=smtp",
                        "azuremail.mail.transports.second-relay.smtp.host=other.contoso.edu",
                        "azuremail.mail.transports.second-relay.smtp.connections=3",
                        "azuremail.mail.transports.api.kind=sendgrid",
                        "azuremail.mail.transports.api.sendgrid.api-key=SG.x",
                        "azuremail.mail.order=second-relay,api")
                .run(context -> {
                    MailProperties mail = context.getBean(MailProperties.class);
                    assertThat(mail.order()).containsExactly("second-relay", "api");
                    assertThat(mail.names()).containsExactly("second-relay", "api", "relay");
                    assertThat(mail.all().get(2))
                            .isEqualTo(new Configured("relay", "smtp", null, 0, 0, 500, WhenFull.NEXT));
                    assertThat(mail.all().get(0).whenFull()).isEqualTo(WhenFull.WAIT);
                    assertThat(transport(context, "relay").concurrency()).isEqualTo(9);
                    assertThat(transport(context, "second-relay").concurrency()).isEqualTo(2);
                    assertThat(transport(context, "api").name()).isEqualTo("SendGridTransport");
                });
    }

    @Test
    void oneNamedTransportNeedsNoOrder() {
        runner.withPropertyValues("azuremail.mail.transports.here.kind=outbox")
                .run(context -> assertThat(context.getBean(MailProperties.class).order())
                        .containsExactly("here"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            transports.a.kind=outbox, transports.b.kind=outbox             | in which order mail is given to a, b
            transports.a.kind=outbox, order=a;c                            | names c, but there is no
            transports.a.kind=outbox, transport=smtp                       | not both
            transports.a.rate=5                                            | azuremail.mail.transports.a.kind must be
            transports.a_b.kind=outbox                                     | small letters
            transports.a.kind=smtp                                         | must name the SMTP server
            transports.a.kind=outbox, transports.a.rate-per-hour=-1        | must not be negative
            order=smtp                                                     | names smtp, but there is no
            """)
    void wrongSettingsOfSeveralAreSaidByName(String settings, String said) {
        String[] values = java.util.Arrays.stream(settings.split(","))
                .map(setting -> "azuremail.mail." + setting.strip().replace(';', ','))
                .toArray(String[]::new);
        runner.withPropertyValues(values)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(said));
    }

    private static int startingRate(ApplicationContext context) {
        return context.getBean(TransportKinds.class)
                .startingRate(context.getBean(MailProperties.class).all().get(0));
    }

    private static <T> T bound(ApplicationContext context, String kind, Class<T> type) {
        return Binder.get(context.getEnvironment()).bindOrCreate("azuremail.mail." + kind, type);
    }

    private static MailTransport transport(ApplicationContext context, String name) {
        return context.getBean(Transports.class).get().byName().get(name).transport();
    }
}
