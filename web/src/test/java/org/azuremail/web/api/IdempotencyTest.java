package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import tools.jackson.databind.json.JsonMapper;

class IdempotencyTest {

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    /** The caller and the remembered calls are null, because these tests do not need them. */
    private final Idempotency idempotency =
            new Idempotency(null, JsonMapper.builder().build(), new ManualTime(), request, null);

    private final AtomicInteger written = new AtomicInteger();

    /** A body that counts how often it is written as JSON. */
    public final class Body {
        public String getText() {
            written.incrementAndGet();
            return "text";
        }
    }

    @Test
    void theBodyOfACallWithoutAKeyIsNotWrittenAgain() {
        assertThat(answer().getBody()).isEqualTo("new id");

        assertThat(written).hasValue(0);
    }

    @Test
    void theBodyOfACallWithAMalformedKeyIsNotWritten() {
        request.addHeader(Idempotency.HEADER, "two words");

        assertThatThrownBy(this::answer).isInstanceOf(RefusedCall.class);
        assertThat(written).hasValue(0);
    }

    private ResponseEntity<String> answer() {
        return idempotency.answer(
                new Body(), String.class, () -> "new id", attempt -> ResponseEntity.ok(attempt.intended()));
    }
}
