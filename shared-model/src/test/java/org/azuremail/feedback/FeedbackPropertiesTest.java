package org.azuremail.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.azuremail.message.OutcomeCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedbackPropertiesTest {

    private static final String HANDLE = "a".repeat(MailHandles.MAX_LENGTH);

    private static FeedbackProperties to(String address) {
        return new FeedbackProperties(address, 0.05, 0.003, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "bounces@example.org,bounces+%s@example.org",
        "*@b.example.org,%s@b.example.org",
        "b-*@example.org,b-%s@example.org",
        "bounces-abc@example.org,bounces-abc+%s@example.org"
    })
    void theHandleStandsInTheLocalPartAndIsFoundAgain(String address, String returnPath) {
        FeedbackProperties settings = to(address);
        assertThat(settings.returnPath(HANDLE)).isEqualTo(returnPath.formatted(HANDLE));
        assertThat(settings.handleIn("To: <" + settings.returnPath(HANDLE) + ">, other"))
                .contains(HANDLE);
        assertThat(settings.handleIn("To: someone@example.org")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bounces",
                "**@example.org",
                "b@*.example.org",
                "a b@example.org",
                "much-too-long-a-name@example.org",
                "@"
            })
    void anAddressThatCannotCarryAHandleIsRefused(String address) {
        assertThatThrownBy(() -> to(address)).hasMessageContaining("azuremail.mail.bounce-address");
    }

    @Test
    void withoutAnAddressBouncesGoToTheFromAddress() {
        assertThat(to(" ").returnPath(HANDLE)).isNull();
        assertThat(new FeedbackProperties(null, 1, 1, 1).handleIn(HANDLE)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "99, 99, 0, ''",
        "100, 5, 0, ''",
        "100, 6, 0, TOO_MANY_BOUNCES",
        "1000, 0, 3, ''",
        "1000, 60, 4, TOO_MANY_COMPLAINTS"
    })
    void sharesAreOfTheSentEmails(long sent, long bounced, long complained, String reason) {
        OutcomeCounts counts = new OutcomeCounts(sent, 900, 0, 0, bounced, complained);
        assertThat(to("").findPauseReason(counts).map(one -> one.code()).orElse(""))
                .isEqualTo(reason);
        assertThat(new FeedbackProperties(null, 1, 1, 1).findPauseReason(counts))
                .isEmpty();
    }
}
