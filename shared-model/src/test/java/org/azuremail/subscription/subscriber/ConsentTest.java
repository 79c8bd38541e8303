package org.azuremail.subscription.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsentTest {

    private static final Instant THEN = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void declarationsWithAnyTextStayInOrder() {
        Consent consent = Consent.of();
        List<Declaration> all = new ArrayList<>();
        for (String detail : List.of("plain", "a \"quoted\" {brace}]", "[{", "}]", "Grüße\n")) {
            Declaration one = declaration(all.size(), detail);
            all.add(one);
            assertThat(consent.has(one)).isFalse();
            consent = consent.plus(one);
            assertThat(consent.has(one)).isTrue();
        }

        assertThat(consent.declarations()).isEqualTo(all);
        assertThat(Consent.NONE.plus(all.get(0)).declarations()).containsExactly(all.get(0));
        assertThat(consent.has(declaration(0, "}]"))).isFalse();
    }

    @Test
    void ifThereAreTooManyDeclarationsTheNewestAreKept() {
        Consent consent = Consent.NONE;
        for (int i = 0; i < Consent.MAX_DECLARATIONS + 3; i++) {
            consent = consent.plus(declaration(i, "{".repeat(i % 3)));
        }

        assertThat(consent.declarations()).hasSize(Consent.MAX_DECLARATIONS);
        assertThat(consent.declarations().get(0).at()).isEqualTo(THEN.plusSeconds(3));
    }

    @Test
    void ifDeclarationsAreTooLongAsManyAreKeptAsFitIntoARow() {
        Consent consent = Consent.NONE;
        for (int i = 0; i < Consent.MAX_DECLARATIONS; i++) {
            consent = consent.plus(declaration(i, "\u0001".repeat(500)));
        }

        assertThat(consent.json().length()).isLessThan(32_768);
        assertThat(consent.declarations()).isNotEmpty();
        assertThat(consent.latest(Declaration.Kind.CONFIRMATION_SENT)
                        .orElseThrow()
                        .at())
                .isEqualTo(THEN.plusSeconds(Consent.MAX_DECLARATIONS - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancelled", "import leads", "from a@x.test", "|CANCELLED", "Yes, send me the news"})
    void theWordingOfAFormIsShownAsItWas(String wording) {
        Declaration joined = joined(wording);
        assertThat(joined.detailText()).isEqualTo(wording);
        assertThat(joined.reason()).isEqualTo(Reason.NONE);
    }

    @Test
    void comingBackIsAReasonAlsoAsEarlierVersionsStoredIt() {
        Reason cameBack = Reason.of(ReasonCode.CAME_BACK);
        assertThat(joined(cameBack.stored()).reason()).isEqualTo(cameBack);
        assertThat(joined("subscribed again right after unsubscribing").reason())
                .isEqualTo(cameBack);
    }

    private static Declaration joined(String wording) {
        return Declaration.of(Declaration.Kind.JOINED, THEN, new Origin(Origin.Channel.API, "shop", null, wording));
    }

    private static Declaration declaration(int second, String detail) {
        return new Declaration(
                Declaration.Kind.CONFIRMATION_SENT,
                THEN.plusSeconds(second),
                Origin.Channel.SERVICE,
                "sender",
                null,
                detail);
    }
}
