package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordsTest {

    /** The hash of a password with decomposed letters, as earlier versions wrote it. */
    private static final String DECOMPOSED_BEFORE =
            "sha256-bcrypt:$2a$04$CWys3/VquSLnxR44J.xyc.fetAvTJ1.RPV5u9R2ZBAjR66ZdaGWZK";

    private static final EmailAddress OWNER = new EmailAddress("Ann.Lee@campus.example.org");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password1234",
                "P@ssw0rd1234",
                "passwordpassword",
                "letmeinletmein",
                "iloveyou1234",
                "qwertyuiop123",
                "1qaz2wsx3edc",
                "zaq12wsxzaq12wsx",
                "q1w2e3r4t5y6",
                "123456789012",
                "098765432109",
                "princess12345",
                "trustno1trustno1",
                "aaaaaaaaaaaaaaa",
                "abcabcabcabcabc",
                "administrator",
                "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff441234"
            })
    void commonPasswordsAreRefused(String common) {
        assertThat(Passwords.problem(common, OWNER)).get().asString().contains("error.password.easy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann.lee@campus.example.org",
                "ANN.LEE@CAMPUS.EXAMPLE.ORG",
                "this is ann.lee@campus.example.org here",
                "ann.lee12345",
                "AnnLeeAnnLee",
                "campuscampus1",
                "AzureMail2026",
                "azuremail1234!",
                "AZUREMAILAZUREMAIL"
            })
    void theOwnersAddressAndTheProductsNameAreRefused(String known) {
        assertThat(Passwords.problem(known, OWNER)).get().asString().contains("error.password.easy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seven wet otters",
                "correct horse battery staple",
                "tqbfjotlddwnlpyx",
                "xkqzvbnrwmtp",
                "482915730264",
                "h\u00fcnerbr\u00fchw\u00fcrfel",
                "\u6b63\u3057\u3044\u99ac\u306e\u96fb\u6c60\u3068\u9262\u690d\u3048\u3068\u50d5"
            })
    void noKindsOfCharactersAreAskedFor(String good) {
        assertThat(Passwords.problem(good, OWNER)).isEmpty();
    }

    @Test
    void theLengthIsLimitedAtBothEnds() {
        assertThat(Passwords.problem("xkqzvbnrwmt", null)).get().asString().contains("error.password.short");
        assertThat(Passwords.problem("xkqzvbnrwmtp".repeat(22), null))
                .get()
                .asString()
                .contains("error.password.long");
        assertThat(Passwords.problem("4@8({[<369&#!1|0$5+7%2/".repeat(11), null))
                .as("as long and odd as may be")
                .isEqualTo(Optional.empty());
    }

    @Test
    void anAddressWithoutLettersIsNoObstacle() {
        assertThat(Passwords.problem("seven wet otters", new EmailAddress("\"!\"@1.2.example")))
                .isEmpty();
    }

    @Test
    void keyboardsThatWriteTheSameLettersDifferentlyGiveTheSamePassword() {
        Passwords passwords = new Passwords(4);
        String composed = "h\u00fcnerbr\u00fchw\u00fcrfel\u00a0zwei";
        String decomposed = "hu\u0308nerbru\u0308hwu\u0308rfel zwei";

        assertThat(passwords.matches(decomposed, passwords.hash(composed))).isTrue();
        assertThat(passwords.matches(composed, passwords.hash(decomposed))).isTrue();
        assertThat(passwords.matches("hunerbruhwurfel zwei", passwords.hash(composed)))
                .isFalse();
        assertThat(passwords.matches(decomposed, DECOMPOSED_BEFORE)).isTrue();
    }
}
