package org.azuremail.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"a@b.cd", "u0000001@bench.test", "jo.do_e-2@mail.ex-ample.org", "7@a1.b2.info"})
    void mostAddressesAreOfThisForm(String address) {
        assertThat(EmailAddress.isPlain(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@b.cd",
                "a@",
                "a@b",
                "a@b.c",
                "a@b.c1",
                "a@.cd",
                "a@b..cd",
                "a@b.cd.",
                "a@-b.cd",
                "a@b-.cd",
                "a@b--c.de",
                "a@b_c.de",
                ".a@b.cd",
                "a.@b.cd",
                "a..b@b.cd",
                "a b@b.cd",
                "a@b@c.de",
                "Bob@b.cd",
                "a@B.cd",
                "é@b.cd",
                "a@é.cd",
                "a+b@b.cd",
                "\"a\"@b.cd",
                "a@[127.0.0.1]"
            })
    void otherAddressesAreLookedAtClosely(String text) {
        assertThat(EmailAddress.isPlain(text)).isFalse();
    }

    @Test
    void tooLongIsNot() {
        String label = "d".repeat(63);
        assertThat(EmailAddress.isPlain("x".repeat(64) + "@" + label + ".org")).isTrue();
        assertThat(EmailAddress.isPlain("x".repeat(65) + "@" + label + ".org")).isFalse();
        assertThat(EmailAddress.isPlain("x@" + label + "d.org")).isFalse();
        String domain = String.join(".", label, label, "f".repeat(58), "org");
        assertThat(domain.length()).isEqualTo(EmailAddress.MAX_LENGTH - 64);
        assertThat(EmailAddress.isPlain("x".repeat(63) + "@" + domain)).isTrue();
        assertThat(EmailAddress.isPlain("x".repeat(64) + "@" + domain)).isFalse();
    }

    /** The texts are addresses, or almost. The strict check must accept every text that is accepted here. */
    @Test
    void everyTextOfThisFormIsAnAddress() {
        Random random = new Random(20261121);
        int plain = 0;
        for (int i = 0; i < 200_000; i++) {
            String address = some(random, "abcdefgh12.-_Z") + "@" + some(random, "abcdefgh12.-_") + "."
                    + some(random, "abcdefghij1.-é");
            if (EmailAddress.isPlain(address)) {
                plain++;
                assertThat(EmailAddress.parseStrictly(address)).as(address).contains(new EmailAddress(address));
            }
        }
        assertThat(plain).isGreaterThan(1000);
    }

    private static String some(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(6); text.length() < length; ) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
