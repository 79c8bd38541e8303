package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import tools.jackson.databind.json.JsonMapper;

class OnceTest {

    /** Neither the caller nor the remembered calls are looked up. */
    private final Once once = new Once(null, JsonMapper.builder().build(), new ManualTime());

    private final AtomicInteger written = new AtomicInteger();

    /** A body that notices when it is written as JSON. */
    public final class Body {
        public String getText() {
            written.incrementAndGet();
            return "text";
        }
    }

    @Test
    void theBodyOfACallWithoutAKeyIsNotWrittenAgain() {
        assertThat(once.call(new MockHttpServletRequest(), null, new Body()).once())
                .isNull();

        assertThat(written).hasValue(0);
    }

    @Test
    void norIsThatOfACallWhoseKeyIsNone() {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader(Once.HEADER, "two words");

        assertThatThrownBy(() -> once.call(request, null, new Body())).isInstanceOf(RefusedCall.class);
        assertThat(written).hasValue(0);
    }
}
