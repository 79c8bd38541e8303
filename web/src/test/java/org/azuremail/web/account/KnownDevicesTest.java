package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks how long a device is known for an account, and how many are. */
class KnownDevicesTest {

    private static final EmailAddress ANN = new EmailAddress("ann.lee@example.org");

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 2);
    private final Accounts accounts = new Accounts(storage.storage(), new Passwords(4), new SeededIds(1), time);
    private final KnownDevices devices = new KnownDevices(storage.storage(), new SeededIds(2), time);

    @BeforeEach
    void annHasAnAccount() {
        TestAccounts.add(accounts, ANN, "seven wet otters", "test");
    }

    @Test
    void signingOutEverywhereAndTimeEndADevice() {
        Secret device = devices.remember(account(), Optional.empty());
        assertThat(devices.findStamp(ANN, device)).hasValue(account().stamp());

        accounts.endSessions(ANN);
        assertThat(devices.findStamp(ANN, device))
                .isNotEqualTo(Optional.of(account().stamp()));

        Secret next = devices.remember(account(), Optional.of(device));
        assertThat(devices.findStamp(ANN, device)).isEmpty();
        time.advance(Duration.ofDays(366));
        assertThat(devices.findStamp(ANN, next)).isEmpty();
        new SignInAttempts(storage.storage(), new SeededIds(5), time).sweep(devices);
        assertThat(rows()).isEmpty();
    }

    @Test
    void anAccountHasTwentyDevicesAtMost() {
        Secret first = devices.remember(account(), Optional.empty());
        for (int i = 0; i < 20; i++) {
            time.advance(Duration.ofMinutes(1));
            devices.remember(account(), Optional.empty());
        }

        assertThat(rows()).hasSize(20);
        assertThat(devices.findStamp(ANN, first)).isEmpty();
    }

    private Account account() {
        return accounts.find(ANN).orElseThrow();
    }

    private List<Row> rows() {
        return Rows.all(
                storage.tables(), "signinattempt", KeyRange.partitions("device.", KeyRange.afterPrefix("device.")));
    }
}
