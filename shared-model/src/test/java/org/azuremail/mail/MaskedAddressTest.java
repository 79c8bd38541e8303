package org.azuremail.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedAddressTest {

    @ParameterizedTest
    @CsvSource({
        "student1@contoso.edu,st******@*******.edu",
        "abc@a.example.org,ab*@*.example.org",
        "ab@contoso.edu,a*@*******.edu",
        "a@contoso.edu,*@*******.edu",
        "\"x\"@contoso.edu,\"**@*******.edu"
    })
    void defect16_neverShowsAWholeLocalPart(String address, String masked) {
        assertThat(new EmailAddress(address).masked()).isEqualTo(masked);
    }
}
