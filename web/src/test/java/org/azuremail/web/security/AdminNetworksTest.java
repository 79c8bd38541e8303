package org.azuremail.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Checks which addresses the networks contain, and which settings are invalid. */
class AdminNetworksTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.255",
        "192.0.2.77/24, 192.0.2.1",
        "192.0.2.1, 192.0.2.1",
        "192.0.2.0/24, ::ffff:192.0.2.9",
        "192.0.2.0/24, 0:0:0:0:0:ffff:c000:209",
        "::ffff:192.0.2.9, 192.0.2.9",
        "2001:db8::/32, 2001:DB8:ffff::1",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1",
        "fe80::/10, fe80:0:0:0:0:0:0:1%eth0",
        "::1, 0:0:0:0:0:0:0:1%2",
        "0.0.0.0/0, 203.0.113.5",
        "::/0, 2001:db8::1",
        "192.0.2.0/24, 192.0.2.1:50123",
        "2001:db8::/32, [2001:db8::1]:50123"
    })
    void anAddressOfTheNetworkIsContained(String network, String address) {
        assertThat(AdminNetworks.of(List.of("198.51.100.1", network)).contain(address))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.3.0",
        "192.0.2.0/24, 192.0.3.1:50123",
        "192.0.2.0/24, 192.0.2",
        "192.0.2.0/24, 192.0.2.256",
        "192.0.2.0/24, 3221225985",
        "192.0.2.0/24, ::192.0.2.1",
        "192.0.2.0/24, 2002:c000:201::1",
        "0.0.0.0/1, ::1",
        "::/1, 127.0.0.1",
        "::/0, 127.0.0.1",
        "0.0.0.0/0, 2001:db8::1",
        "10.0.0.0/8, 0a00::1",
        "::1, ::2",
        "127.0.0.1, localhost",
        "127.0.0.1, '127.0.0.1, 127.0.0.1'",
        "127.0.0.1, unknown",
        "127.0.0.1, ''",
        "127.0.0.1, %",
        "127.0.0.1, ' 127.0.0.1'",
        "127.0.0.1, [127.0.0.1]"
    })
    void anythingElseIsNot(String network, String address) {
        assertThat(AdminNetworks.of(List.of(network)).contain(address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "campus",
                "localhost",
                "example.org/24",
                "10",
                "10.1",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/8/9",
                "10.0.0.0/255.0.0.0",
                "2001:db8::/129",
                "::ffff:10.0.0.0/8",
                "::ffff:10.0.0.0/104",
                "[::1]",
                "fe80::1%eth0",
                "256.0.0.1",
                "/8",
                "10.0.0.0/8 192.0.2.0/24",
                ":",
                "10.0.0.0/999"
            })
    void aMalformedNetworkIsRefusedWithTheNameOfTheSetting(String text) {
        assertThatThrownBy(() -> new AdminProperties(List.of("192.0.2.0/24", text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("azuremail.admin.allow-from: \"" + text + "\"");
    }

    @Test
    void anEmptySettingAcceptsAllNetworksAndABlankOneFailsTheStart() {
        assertThat(AdminNetworks.of(bound("").allowFrom()).contain("anywhere")).isTrue();
        assertThat(bound("192.0.2.0/24, ::1").allowFrom()).containsExactly("192.0.2.0/24", "::1");
        for (String blank : new String[] {" ", ",", "192.0.2.0/24,,::1"}) {
            assertThatThrownBy(() -> bound(blank)).rootCause().hasMessageStartingWith("azuremail.admin.allow-from: ");
        }
    }

    private static AdminProperties bound(String setting) {
        return new Binder(new MapConfigurationPropertySource(Map.of("azuremail.admin.allow-from", setting)))
                .bindOrCreate("azuremail.admin", AdminProperties.class);
    }
}
