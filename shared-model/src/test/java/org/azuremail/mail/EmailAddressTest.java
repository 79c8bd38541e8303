package org.azuremail.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.Key;
import org.azuremail.storage.KeyEscaper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailAddressTest {

    @Test
    void theLocalPartStaysAsTypedAndTheDomainIsFolded() {
        EmailAddress address =
                EmailAddress.parse("  Bob.Smith@BÜCHER.example  ").orElseThrow();

        assertThat(address.value()).isEqualTo("Bob.Smith@xn--bcher-kva.example");
        assertThat(address.folded()).isEqualTo("bob.smith@xn--bcher-kva.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bob",
                "bob@",
                "@example.org",
                "bob@localhost",
                "bob@[127.0.0.1]",
                "Bob <bob@example.org>",
                "bob@example.org, eve@example.org",
                "bob@example.org\r\nBcc: eve@example.org",
                "b\u0000b@example.org",
                "bob(comment)@example.org",
                "b\ud800b@example.org"
            })
    void defect14_whatNoServerWouldTakeIsRefused(String text) {
        assertThat(EmailAddress.parse(text)).isEmpty();
    }

    @Test
    void aLocalPartIsCountedInOctets() {
        assertThat(EmailAddress.parse("x".repeat(64) + "@example.org")).isPresent();
        assertThat(EmailAddress.parse("x".repeat(65) + "@example.org")).isEmpty();
        assertThat(EmailAddress.parse("é".repeat(32) + "@example.org")).isPresent();
        assertThat(EmailAddress.parse("é".repeat(33) + "@example.org")).isEmpty();
    }

    static java.util.stream.Stream<String> odd() {
        String longest = "@" + "d".repeat(60) + "." + "e".repeat(60) + "." + "f".repeat(60) + ".org";
        return java.util.stream.Stream.of(
                "\u3042".repeat(21) + longest,
                "+".repeat(64) + longest,
                "\"a,b/c#d?e%f\\\\g\"@example.org",
                "o'neil+tag@example.org");
    }

    @ParameterizedTest
    @MethodSource("odd")
    void everyAddressMakesAKeyAndComesBackFromIt(String text) {
        EmailAddress address = EmailAddress.parse(text).orElseThrow();

        Key key = new Key("list.1", "email:" + KeyEscaper.escape(address.folded()));

        assertThat(KeyEscaper.unescape(key.row().substring("email:".length()))).isEqualTo(address.folded());
    }
}
