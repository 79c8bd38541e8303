package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks which addresses count as the network of one customer. */
class ClientNetworkTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:0201, 192.0.2.1",
        "2001:db8::1, 20010db800000000/64",
        "2001:db8:0:0:ffff:ffff:ffff:ffff, 20010db800000000/64",
        "2001:DB8:0:1::, 20010db800000001/64",
        "fe80::1%eth0, fe80000000000000/64",
        "::1, 0000000000000000/64",
        "192.0.2.1:50123, 192.0.2.1",
        "[2001:db8::1]:50123, 20010db800000000/64",
        "unknown, unknown",
        "1.2.3, 1.2.3",
        "1:2, 1:2"
    })
    void oneCustomersNetworkIsOne(String address, String network) {
        assertThat(ClientNetwork.of(address)).isEqualTo(network);
    }
}
