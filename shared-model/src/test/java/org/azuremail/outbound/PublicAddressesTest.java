package org.azuremail.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which addresses requests may go to. */
class PublicAddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://127.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.0.0.1./",
                "http://localhost/",
                "http://LOCALHOST./",
                "http://0.0.0.0/",
                "http://0/",
                "http://10.1.2.3/",
                "http://172.31.255.255/",
                "http://192.168.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://168.63.129.16/machine?comp=goalstate",
                "http://0xa83f8110/",
                "http://2822734096/",
                "http://168.4161808/",
                "http://[::ffff:168.63.129.16]/",
                "http://[::ffff:a83f:8110]/",
                "http://100.64.0.1/",
                "http://100.127.255.255/",
                "http://198.18.0.1/",
                "http://224.0.0.1/",
                "http://255.255.255.255/",
                "http://[::1]/",
                "http://[::]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://[::127.0.0.1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://[fc00::1]/",
                "http://[fdff::1]/",
                "http://[fe80::1]/",
                "http://[fe80::1%25lo]/",
                "http://[ff02::1]/",
                "http://[2001::1]/",
                "http://[2001:db8::1]/",
                "http://good.example@127.0.0.1/",
                "http://127.0.0.1#@good.example/",
                "http://127.0.0.1\\@good.example/",
                "http://good.example:80@127.0.0.1/",
                "file:///etc/passwd",
                "ftp://example.org/",
                "gopher://127.0.0.1/",
                "http:///feed",
                "http://①②⑦.0.0.1/",
                "http://127.0.0.1%2f.example/",
                "jar:http://example.org!/",
                "//127.0.0.1/",
                ""
            })
    void noSpellingOfAPrivateAddressIsConnectedTo(String address) {
        PublicAddresses guard = new PublicAddresses(InetAddress::getAllByName, false);
        assertThat(PublicAddresses.parse(address))
                .as("refused before anything is looked up, or when its addresses are known")
                .satisfiesAnyOf(none -> assertThat(none).isEmpty(), uri -> assertThatThrownBy(
                                () -> guard.resolve(uri.orElseThrow().getHost()))
                        .isInstanceOf(UnknownHostException.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://example.org/feed",
                "https:feed",
                "https://amy@example.org/feed",
                "https://example.org:65536/feed",
                "https://0x7f.1/feed",
                "https://2130706433/feed"
            })
    void onlyUsualSpellingsOfWebAddressesAreAccepted(String address) {
        assertThat(PublicAddresses.parse(address)).isEmpty();
        assertThat(PublicAddresses.parse(" HTTPS://example.org:65535/feed")).isPresent();
        assertThat(PublicAddresses.parse("http://8.8.8.8/feed")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"93.184.215.14", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"})
    void publicAddressesAreConnectedTo(String address) throws UnknownHostException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void aNameWithOnePrivateAddressAmongPublicOnesIsRefused() {
        PublicAddresses guard = new PublicAddresses(
                host -> new InetAddress[] {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1")}, false);
        assertThatThrownBy(() -> guard.resolve("two.example")).isInstanceOf(PublicAddresses.NotPublic.class);
    }

    /** The HTTP library hands over the letters for which an A-label stands, and DNS knows only A-labels. */
    @Test
    void aNameWithOtherLettersIsLookedUpByItsAsciiForm() throws UnknownHostException {
        PublicAddresses guard = new PublicAddresses(
                host -> {
                    assertThat(host).isEqualTo("xn--mller-kva.example");
                    return new InetAddress[] {InetAddress.getByName("8.8.8.8")};
                },
                false);
        assertThat(guard.resolve("m\u00fcller.example")).hasSize(1);
    }
}
