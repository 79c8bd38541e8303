package org.azuremail.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that no secret is shown, whatever its name and wherever it is hidden. */
class MaskingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "azuremail.azure.connection-string",
                "azuremail.mail.smtp.password",
                "azuremail.mail.transports.a.smtp.PassWord",
                "azuremail.mail.transports.a.smtp.pass-word",
                "azuremail.mail.sendgrid.api-key",
                "azuremail.mail.sendgrid.API_KEY",
                "azuremail.mail.sendgrid.apikey",
                "azuremail.secrets.key",
                "azuremail.secrets.old-keys[3]",
                "azuremail.bootstrap.admin-password",
                "azuremail.bootstrap.api-key",
                "AZUREMAIL_MAIL_SMTP_PASSWORD",
                "azuremail.anything.access-token.of.somebody",
                "azuremail.anything.Client_Secret",
                "azuremail.anything.pwd",
                "azuremail.anything.sas-signature",
                "azuremail.password.strength-of.x"
            })
    void aNameThatSpeaksOfASecretHidesAnyValue(String name) {
        for (String value : new String[] {"x", "42", "hunter2", "https://example.org", "password", " "}) {
            assertThat(Masking.mask(name, value)).as(name + "=" + value).isEqualTo(Masking.MASK);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net",
                "BlobEndpoint=https://a.blob.core.windows.net/;SharedAccessSignature=sv=2020&sig=abc",
                "Server=db;User=a;Pwd=hunter2",
                "PASSWORD: hunter2",
                "{\"token\": \"hunter2\"}",
                "SG.abcdefghijk1mnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHI",
                "am_Zk3xZk3xZk3xZk3xZk3xZk3x",
                "smtp-user:hunter2@smtp.example.org",
                "0f8fad5b-d9cb-469f-a165-70867728950e"
            })
    void aValueThatLooksLikeASecretIsHiddenUnderAnyName(String value) {
        assertThat(Masking.mask("azuremail.somewhere.value", value)).isEqualTo(Masking.MASK);
    }

    @Test
    void aLongValueIsNotCutInTheMiddleOfACharacter() {
        String kept = "a ".repeat(99) + "b";

        assertThat(Masking.mask("azuremail.somewhere.value", kept + "😀")).isEqualTo(kept + "…");
    }

    @ParameterizedTest
    @CsvSource({
        "https://user:hunter2@example.org/hook, https://example.org/hook",
        "https://hunter2@example.org:8443, https://example.org:8443",
        "https://example.org/feed?token=hunter2#hunter2, https://example.org/feed",
        "https://example.org/hooks/T0hunter2hunter2/B1hunter2hunter2, https://example.org/hooks/******/******",
        "https://a.example.org https://u:hunter2@b.example.org?sig=hunter2, https://a.example.org https://b.example.org",
        "redis://:hunter2@cache.example.org/0, redis://cache.example.org/0",
        "HTTPS://u:hunter2@EXAMPLE.org, HTTPS://EXAMPLE.org"
    })
    void anAddressLosesWhatOpensIt(String value, String shown) {
        assertThat(Masking.mask("azuremail.somewhere.url", value))
                .isEqualTo(shown)
                .doesNotContain("hunter2");
    }

    @Test
    void harmlessValuesAreShown() {
        assertThat(Masking.mask("azuremail.work.max-idle", "10s")).isEqualTo("10s");
        assertThat(Masking.mask("azuremail.mail.smtp.host", "smtp.example.org")).isEqualTo("smtp.example.org");
        assertThat(Masking.mask("azuremail.public-url", "https://lists.example.org"))
                .isEqualTo("https://lists.example.org");
        assertThat(Masking.mask("azuremail.password.strength", "12")).isEqualTo("12");
        assertThat(Masking.mask("azuremail.watchers.allow-private", "false")).isEqualTo("false");
        assertThat(Masking.mask("azuremail.bootstrap.admin-password", ""))
                .as("that none is set")
                .isEmpty();
        assertThat(Masking.mask("azuremail.mail.order", "x ".repeat(150))).hasSize(201);
    }
}
