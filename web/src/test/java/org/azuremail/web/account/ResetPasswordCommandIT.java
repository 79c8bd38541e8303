package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResetPasswordCommandIT {

    private static final EmailAddress ANN = new EmailAddress("ann@example.org");

    @Test
    void commandMakesALinkBesideARunningService(@TempDir Path data) {
        try (EmbeddedStorage running = EmbeddedStorage.open(data, Time.system())) {
            Accounts accounts = new Accounts(running.storage(), new Passwords(4), IdSource.secure(), Time.system());
            TestAccounts.add(accounts, ANN, "seven wet otters", "test");

            String told = ResetPasswordCommand.run(arguments(data, "ANN@example.org"));

            assertThat(told).contains("http://lists.example.org/welcome?token=");
            Secret secret = new Secret(told.substring(told.lastIndexOf('=') + 1));
            assertThat(accounts.useLink(secret, "nine dry badgers")).isPresent();
            assertThat(accounts.useLink(secret, "once more, please")).isEmpty();
            assertThat(new Passwords(4)
                            .matches(
                                    "nine dry badgers",
                                    accounts.find(ANN).orElseThrow().passwordHash()))
                    .isTrue();
        }
    }

    @Test
    void theLinkLeadsWhereTheServiceThatRunsIsReached(@TempDir Path data) {
        try (EmbeddedStorage running = EmbeddedStorage.open(data, Time.system())) {
            TestAccounts.add(
                    new Accounts(running.storage(), new Passwords(4), IdSource.secure(), Time.system()),
                    ANN,
                    "seven wet otters",
                    "test");
            InstanceFacts address = () -> Map.of("public-url", "http://localhost:9090");
            Instances instances =
                    new Instances(running.storage(), Time.system(), IdSource.secure()::token, () -> Stream.of(address));
            instances.register(new Instances.Registration("mill", Set.of("web"), Set.of(), Set.of(), ""));
            instances.heartbeat();

            assertThat(ResetPasswordCommand.run(arguments(data, "ann@example.org")))
                    .contains("http://localhost:9090/welcome?token=");
        }
    }

    @Test
    void commandNamesTheAccountsWhenTheAddressIsWrong(@TempDir Path data) {
        try (EmbeddedStorage running = EmbeddedStorage.open(data, Time.system())) {
            TestAccounts.add(
                    new Accounts(running.storage(), new Passwords(4), IdSource.secure(), Time.system()),
                    ANN,
                    "seven wet otters",
                    "test");

            assertThat(ResetPasswordCommand.run(arguments(data, "an@example.org")))
                    .contains("There is no such account", "ann@example.org");
        }
    }

    private static String[] arguments(Path data, String email) {
        return new String[] {
            "--azuremail.command=reset-password",
            "--email=" + email,
            "--azuremail.data-dir=" + data,
            "--azuremail.public-url=http://lists.example.org"
        };
    }
}
