package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Together;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.Leases;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract of leases of instances whose clocks are driven. It holds on any storage, because leases do not depend on
 * the storage's clock.
 */
public interface LeasesContract extends WorkContract {

    Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    Duration A_MINUTE = Duration.ofMinutes(1);

    /** Two instances on two hosts with equal clocks, and a lease that both want. */
    final class Hosts {

        final ManualTime time = new ManualTime();
        final ManualTime otherTime = new ManualTime();
        final String name = "pump/" + FreshNames.next();
        final Leases leases;
        final Leases others;

        private Hosts(LeasesContract contract) {
            this.leases = contract.instance(time, A_MINUTE);
            this.others = contract.instance(otherTime, A_MINUTE);
        }

        Lease acquire(Leases instance) {
            return instance.acquire(name, HALF_A_MINUTE).orElseThrow();
        }

        void pass(Duration duration) {
            time.advance(duration);
            otherTime.advance(duration);
        }
    }

    private Leases instance(ManualTime clock, Duration grace) {
        return InlineWork.leases(storage(), clock, IdSource.secure(), grace);
    }

    @Test
    default void aFreeLeaseIsAcquiredAndHeld() {
        Hosts hosts = new Hosts(this);
        Lease lease = hosts.acquire(hosts.leases);

        assertThat(lease.held()).isTrue();
        assertThat(lease.epoch()).isEqualTo(1);
        assertThat(hosts.others.acquire(hosts.name, HALF_A_MINUTE)).isEmpty();
        assertThat(hosts.leases.acquire(hosts.name, HALF_A_MINUTE)).isEmpty();
        assertThat(hosts.others.acquire(hosts.name + "/ü#2", HALF_A_MINUTE)).isPresent();
    }

    @Test
    @DisplayName("L-7: a holder's death lets the next one in after the end and the grace, not before")
    default void l7_expiredLeaseCanBeTakenAgain() {
        Hosts hosts = new Hosts(this);
        hosts.acquire(hosts.leases);

        hosts.pass(Duration.ofSeconds(89));
        assertThat(hosts.others.acquire(hosts.name, HALF_A_MINUTE)).isEmpty();
        hosts.pass(Duration.ofSeconds(1));

        assertThat(hosts.others.acquire(hosts.name, HALF_A_MINUTE)).isPresent();
    }

    @Test
    @DisplayName("L-7: a holder that comes back finds its lease stolen: it holds nothing and renews nothing")
    default void l7_aRevivedHolderNotices() {
        Hosts hosts = new Hosts(this);
        Lease old = hosts.acquire(hosts.leases);
        hosts.pass(Duration.ofSeconds(90));
        Lease successor = hosts.acquire(hosts.others);

        assertThat(old.held()).isFalse();
        assertThat(old.renew(HALF_A_MINUTE)).isFalse();
        old.release();

        assertThat(successor.epoch()).isGreaterThan(old.epoch());
        assertThat(successor.held()).isTrue();
        assertThat(successor.renew(HALF_A_MINUTE)).isTrue();
        assertThat(hosts.leases.acquire(hosts.name, HALF_A_MINUTE)).isEmpty();
    }

    @Test
    default void aRenewedLeaseLastsOn() {
        Hosts hosts = new Hosts(this);
        Lease lease = hosts.acquire(hosts.leases);
        for (int i = 0; i < 20; i++) {
            hosts.pass(Duration.ofSeconds(15));
            assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
            assertThat(hosts.others.acquire(hosts.name, HALF_A_MINUTE)).isEmpty();
        }
        assertThat(lease.held()).isTrue();
        assertThat(lease.epoch()).isEqualTo(1);
    }

    @Test
    default void aLeaseThatRanOutUntakenIsRevivedByRenewal() {
        Hosts hosts = new Hosts(this);
        Lease lease = hosts.acquire(hosts.leases);
        hosts.pass(Duration.ofMinutes(10));
        assertThat(lease.held()).isFalse();

        assertThat(lease.renew(HALF_A_MINUTE)).isTrue();
        assertThat(lease.held()).isTrue();
    }

    @Test
    default void aReleasedLeaseIsFreeAtOnceAndCannotBeRenewed() {
        Hosts hosts = new Hosts(this);
        Lease lease = hosts.acquire(hosts.leases);
        lease.release();

        assertThat(lease.held()).isFalse();
        assertThat(lease.renew(HALF_A_MINUTE)).isFalse();
        assertThat(hosts.acquire(hosts.others).epoch()).isEqualTo(2);
    }

    @Test
    @DisplayName("L-8: of many who race for a free lease exactly one wins, again and again")
    default void l8_ofManyWhoRaceOneWins() throws Exception {
        ManualTime clock = new ManualTime();
        String name = "race/" + FreshNames.next();
        for (int round = 1; round <= 20; round++) {
            List<Optional<Lease>> race = Together.run(
                    8, racer -> () -> instance(clock, Duration.ZERO).acquire(name, HALF_A_MINUTE));
            List<Lease> winners = race.stream().flatMap(Optional::stream).toList();
            assertThat(winners).hasSize(1);
            assertThat(winners.get(0).epoch()).isEqualTo(round);
            clock.advance(HALF_A_MINUTE);
        }
    }
}
