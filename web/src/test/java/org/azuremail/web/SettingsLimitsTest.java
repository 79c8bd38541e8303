package org.azuremail.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Checks that a setting outside its limits prevents the start, with a message that names setting, value and limit. */
class SettingsLimitsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(AllSettings.class)
            .withPropertyValues(
                    "azuremail.azure.account=mail",
                    "azuremail.mail.smtp.host=localhost",
                    "azuremail.mail.sendgrid.api-key=SG.key");

    @ConfigurationPropertiesScan("org.azuremail")
    static class AllSettings {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "archive.keep=29d | keep | PT696H | longer than or equal to 30 days",
                "azure.connect-timeout=-1s | connectTimeout | PT-1S | longer than or equal to 1 milli",
                "azure.try-timeout=0s | tryTimeout | PT0S | longer than or equal to 1 milli",
                "birthdays.days=0 | days | 0 | greater than or equal to 1",
                "birthdays.days=366 | days | 366 | less than or equal to 365",
                "blocks.most=0 | most | 0 | greater than or equal to 1",
                "blocks.most=501 | most | 501 | less than or equal to 500",
                "event-log.keep=23h | keep | PT23H | longer than or equal to 1 day",
                "event-log.keep=367d | keep | PT8808H | shorter than or equal to 366 days",
                "jobs.keep-files=59m | keepFiles | PT59M | longer than or equal to 1 hour",
                "message.undo=-1s | undo | PT-1S | must not be negative",
                "message.undo=11m | undo | PT11M | shorter than or equal to 10 minutes",
                "operations.drain-within=0s | drainWithin | PT0S | longer than or equal to 1 second",
                "operations.drain-within=8d | drainWithin | PT192H | shorter than or equal to 7 days",
                "operations.free-emails=-1 | freeEmails | -1 | greater than or equal to 0",
                "operations.price-per-gigabyte=-0.1 | pricePerGigabyte | -0.1 | greater than or equal to 0",
                "operations.price-per-instance-hour=-1 | pricePerInstanceHour | -1 | greater than or equal to 0",
                "operations.price-per-million=-1 | pricePerMillion | -1 | greater than or equal to 0",
                "operations.price-per-thousand-emails=-1 | pricePerThousandEmails | -1 | greater than or equal to 0",
                "outbox.keep=0s | keep | PT0S | longer than or equal to 1 milli",
                "subscription.confirmation-link=59s | confirmationLink | PT59S | longer than or equal to 1 minute",
                "subscription.confirmation-link=367d | confirmationLink | PT8808H | shorter than or equal to 366 days",
                "watchers.lease=9s | lease | PT9S | longer than or equal to 10 seconds",
                "work.concurrency.mails=0 | concurrency[mails] | 0 | greater than or equal to 1",
                "work.concurrency.mails=257 | concurrency[mails] | 257 | less than or equal to 256",
                "work.most-concurrency.mails=257 | mostConcurrency[mails] | 257 | less than or equal to 256",
                "work.foreign-lease-grace=-1s | foreignLeaseGrace | PT-1S | must not be negative",
                "work.limits.mails=0 | limits[mails] | 0 | greater than or equal to 1",
                "work.max-idle=99ms | maxIdle | PT0.099S | longer than or equal to 100 millis",
                "work.partitions.mails=0 | partitions[mails] | 0 | greater than or equal to 1",
                "work.receive-wait=99ms | receiveWait | PT0.099S | longer than or equal to 100 millis",
                "work.receive-wait=6m | receiveWait | PT6M | shorter than or equal to 5 minutes",
                "work.signals.greet-every=61m | signals.greetEvery | PT1H1M | shorter than or equal to 1 hour",
                "work.signals.greet-every=999ms | signals.greetEvery | PT0.999S | longer than or equal to 1 second",
                "work.signals.port=65536 | signals.port | 65536 | less than or equal to 65535",
                "work.stop-within=-1s | stopWithin | PT-1S | must not be negative",
                "work.stop-within=6m | stopWithin | PT6M | shorter than or equal to 5 minutes"
            })
    void aSettingOutsideItsLimitsIsRefusedAtTheStart(String setting, String field, String value, String limit) {
        runner.withPropertyValues("azuremail." + setting).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(BindValidationException.class)
                .hasMessageContaining("on field '" + field + "': rejected value [" + value + "]")
                .hasMessageContaining(limit));
    }
}
