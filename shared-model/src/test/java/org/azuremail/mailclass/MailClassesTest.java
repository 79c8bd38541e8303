package org.azuremail.mailclass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.azuremail.mailclass.ClassSettings.classes;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;

@ExtendWith(OutputCaptureExtension.class)
class MailClassesTest {

    @Test
    void thereAreThreeClassesWhereNothingIsSet() {
        assertThat(classes().all()).extracting(MailClass::name).containsExactly("High", "Normal", "Low");
        assertThat(classes().all())
                .extracting(one -> one.queue("azuremailqueue"))
                .containsExactly("azuremailqueue-high", "azuremailqueue", "azuremailqueue-low");
        assertThat(classes().mostUrgent().target()).isEqualTo(Duration.ofSeconds(10));
        assertThat(classes().strict()).isFalse();
    }

    /** R10, A32. */
    @Test
    void r10_aFourthClassIsConfigurationOnly() {
        MailClasses four = classes(
                "order=High,Normal,Low,Bulk",
                "of.bulk.target=3d",
                "of.bulk.share=50",
                "of.bulk.places=1",
                "of.bulk.most-places=3",
                "of.bulk.hours=22:00-06:00",
                "of.bulk.zone=Europe/Berlin");

        MailClass bulk = four.of("BULK");
        assertThat(bulk)
                .isEqualTo(new MailClass(
                        "Bulk",
                        3,
                        "-bulk",
                        1,
                        3,
                        Duration.ofDays(3),
                        50,
                        new ClassHours(LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("Europe/Berlin"))));
    }

    /** R11. */
    @Test
    void r11_theListsPlanDecidesTheClass() {
        assertThat(classes().forPlan(Plan.FEE_PAYING)).hasToString("Normal");
        assertThat(classes().forPlan(Plan.FREE)).hasToString("Low");
        assertThat(classes().forPlan(null)).hasToString("Normal");
        assertThat(classes("fee-paying=high").forPlan(Plan.FEE_PAYING)).hasToString("High");
    }

    @Test
    void p5_anUnknownLabelGetsTheDefaultClassAndOneWarning(CapturedOutput log) {
        MailClasses classes = classes("default=low");

        assertThat(classes.of("Urgent")).hasToString("Low");
        assertThat(classes.of("URGENT")).hasToString("Low");
        assertThat(classes.find("Urgent")).isEmpty();
        assertThat(classes.of("Urgent")).hasToString("Low");
        assertThat(log.getAll().split("No mail class is called ", -1)).hasSize(2);
    }

    @Test
    @DisplayName("R3, P-2: each queue has places of its own, unless the settings want one strict pool for all")
    void p2_eachQueueHasItsOwnPool() {
        assertThat(classes().pool("azuremailqueue-low")).isNotEqualTo(classes().pool("azuremailqueue-high"));
        assertThat(classes("pool=strict").pool("azuremailqueue-low"))
                .isEqualTo(classes("pool=strict").pool("azuremailqueue-high"));
    }

    @Test
    void labelsAreComparedWithoutRegardToCase() {
        assertThat(classes().of("hIGH")).hasToString("High");
        assertThat(classes("order=High,Normal,Low,Kept").find("\u212Aept"))
                .as("with the Kelvin sign")
                .isEmpty();
        assertThat(classes().of(null)).hasToString("Normal");
        assertThat(classes().of(" ")).hasToString("Normal");
    }

    /** Old work items wait in that queue. */
    @Test
    void theDefaultClassKeepsTheQueueWithoutSuffix() {
        assertThat(classes("default=Low").all())
                .extracting(one -> one.queue("azuremailqueue"))
                .containsExactly("azuremailqueue-high", "azuremailqueue-normal", "azuremailqueue");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order=High,high | names a class twice",
                "order=High,Lo w | a class has a name of",
                "order=High,Normal,p1 | a class has a name of",
                "order=High,Normal,Low,low-p1 | a class has a name of",
                "order=A,B | .default: .order has no class Normal",
                "default=Medium | .default: .order has no class Medium",
                "free=Cheap | .free: .order has no class Cheap",
                "of.bulk.share=50 | .of.bulk: .order has no class bulk",
                "of.low.share=0 | .of.Low.share must be 1 to 100",
                "of.low.places=300 | .of.Low.places must be 0 to 256",
                "of.low.most-places=3 | .of.Low.most-places needs .places",
                "of.low.target=0s | .of.Low.target must be more than 0s",
                "of.low.hours=at night | .of.Low.hours: hours are written like 22:00-06:00",
                "of.low.hours=22:00-25:00 | hours are written like 22:00-06:00",
                "ageing=0s | .ageing must be at least 1s"
            })
    void senselessSettingsAreRefusedWithASentence(String setting, String sentence) {
        assertThatThrownBy(() -> classes(setting))
                .extracting(NestedExceptionUtils::getMostSpecificCause)
                .extracting(Throwable::getMessage, STRING)
                .as(setting)
                .contains("azuremail.mail-classes", sentence);
    }
}
