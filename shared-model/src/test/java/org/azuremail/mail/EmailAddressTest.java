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

    /**
     * The lower case of the Kelvin sign is the ASCII letter k, so accepting it would give the address of another
     * person.
     */
    @Test
    void theKelvinSignIsNoLetterOfAscii() {
        EmailAddress kelvin = EmailAddress.parse("\u212Aate@example.org").orElseThrow();

        assertThat(kelvin.folded()).isEqualTo("\u212Aate@example.org");
        assertThat(EmailAddress.parse("\u212AATE.\u00c4@example.org")
                        .orElseThrow()
                        .folded())
                .isEqualTo("\u212Aate.\u00e4@example.org");
        assertThat(EmailAddress.parse("kate@e\u212Aample.org").orElseThrow().domain())
                .as("as IDNA maps it")
                .isEqualTo("ekample.org");
        assertThat(EmailAddress.parse("\u017Fam@example.org").orElseThrow().folded())
                .isEqualTo("\u017Fam@example.org");
        assertThat(EmailAddress.parse("\u0130@example.org").orElseThrow().folded())
                .isNotEqualTo("i@example.org");
    }

    @Test
    void noLetterOutsideAsciiIsFoldedIntoAscii() {
        assertThat(java.util.stream.IntStream.rangeClosed(128, Character.MAX_CODE_POINT)
                        .mapToObj(Character::toString)
                        .filter(letter -> EmailAddress.fold(letter).chars().allMatch(c -> c < 128)))
                .isEmpty();
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
    void defect14_addressesThatNoServerWouldTakeAreRefused(String text) {
        assertThat(EmailAddress.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@x.test",
                "A.b+c@x.test",
                "a@X.TEST",
                "!#$%&'*+-/=?^_`{|}~@x.test",
                "\"a b\"@x.test",
                "\" \"@x.test",
                "\"a\\\"b\"@x.test",
                "\"a\\\\\"@x.test",
                "\"a@b\"@x.test",
                "\"<a>\"@x.test",
                "\"a..b.\"@x.test",
                "\"(c)\"@x.test",
                "\"a,b;c:d\"@x.test",
                "\u5c71\u7530@x.test",
                "\"\u00e9 \u00e9\"@x.test",
                "\u0645\u062d\u0645\u062f@x.test",
                "e\u0301@x.test",
                "\ud83d\ude00@x.test",
                "a@b\u00fccher.test",
                "a@xn--bcher-kva.test",
                "a@\u0645\u062b\u0627\u0644.test",
                "a@ex\u3002test",
                "a@a-b.c1.museum",
                "a@1.2.3.test",
            })
    void addressOfTheStandardsIsTaken(String text) {
        EmailAddress address = EmailAddress.parse(text).orElseThrow();

        assertThat(EmailAddress.parse(address.value())).contains(address);
        assertThat(KeyEscaper.unescape(KeyEscaper.escape(address.folded()))).isEqualTo(address.folded());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a@x.test>",
                "<a@x.test",
                "a @x.test",
                "a@ x.test",
                "a@x.test>",
                "a b@x.test",
                "a..b@x.test",
                ".a@x.test",
                "a.@x.test",
                "a@b@x.test",
                "\"a\"b@x.test",
                "\"a\"b\"@x.test",
                "\"a\\\"@x.test",
                "\"\"@x.test",
                "\"@x.test",
                "\"a\".b@x.test",
                "\"a\tb\"@x.test",
                "\"a\\\u00e9\"@x.test",
                "(c)a@x.test",
                "a@(c)x.test",
                "a@x.test(c)",
                "@y.test:a@x.test",
                "<@y.test:a@x.test>",
                "a%b@",
                "a@x.test.",
                "a@.x.test",
                "a@x..test",
                "a@x",
                "a@x.t",
                "a@1.2.3.4",
                "a@[1.2.3.4]",
                "a@[IPv6:::1]",
                "a@-x.test",
                "a@x-.test",
                "a@x_y.test",
                "a@x.123",
                "a\uff20x.test",
                "a\u200b@x.test",
                "a\u200f@x.test",
                "\u202ea@x.test",
                "a\u00ad@x.test",
                "a\ufeffb@x.test",
                "a\u00a0b@x.test",
                "a\u3000b@x.test",
                "a\u2028b@x.test",
                "a\u0085b@x.test",
                "a\u007fb@x.test",
                "a\ue000@x.test",
                "\udc00a@x.test",
                "a@x\u200by\ud800.test",
                "a@x\u202e.test",
                "a@x y.test",
                "a@xn--zz.test",
                "a@xn--a.test",
                "a@xn--.test",
                "mailto:a@x.test,b@x.test",
                "a@x.test?subject=x",
                "a@x.test;b@x.test",
            })
    void textsThatAreNoAddressAreRefusedAtOnce(String text) {
        assertThat(EmailAddress.parse(text)).isEmpty();
    }

    @Test
    void domainsAreConvertedByIdna2008() {
        assertThat(EmailAddress.parse("a@stra\u00dfe.test").orElseThrow().domain())
                .isEqualTo("xn--strae-oqa.test");
        assertThat(EmailAddress.parse("a@\u03c2.test").orElseThrow().domain()).isEqualTo("xn--3xa.test");
        assertThat(EmailAddress.parse("a@STRA\u1e9eE.test").orElseThrow().domain())
                .isEqualTo("xn--strae-oqa.test");
    }

    @Test
    void addressThatAnOlderVersionStoredIsAmongThoseThatAreMeant() {
        assertThat(EmailAddress.candidates("Bob@stra\u00dfe.test"))
                .extracting(EmailAddress::value)
                .containsExactly("Bob@xn--strae-oqa.test", "Bob@strasse.test", "Bob@stra\u00dfe.test");
        assertThat(EmailAddress.candidates(" <a@x.test> ")).containsExactly(new EmailAddress("<a@x.test>"));
        assertThat(EmailAddress.candidates("bob@x.test")).containsExactly(new EmailAddress("bob@x.test"));
        assertThat(EmailAddress.candidates("no address")).isEmpty();
        assertThat(EmailAddress.candidates("b\ud800@x.test")).isEmpty();
    }

    @Test
    void wholeAddressIsCountedInOctets() {
        String domain = "@" + "d".repeat(63) + "." + "e".repeat(63) + "." + "f".repeat(58) + ".org";
        String local = "x".repeat(EmailAddress.MAX_LENGTH - domain.length());

        assertThat(EmailAddress.parse(local + domain)).isPresent();
        assertThat(EmailAddress.parse(local + "x" + domain)).isEmpty();
        assertThat(EmailAddress.parse("x@" + "d".repeat(63) + ".test")).isPresent();
        assertThat(EmailAddress.parse("x@" + "d".repeat(64) + ".test")).isEmpty();
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
