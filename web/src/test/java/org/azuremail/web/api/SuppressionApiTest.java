package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class SuppressionApiTest {

    @Autowired
    MockMvc mvc;

    @Test
    void addressesAreSuppressedListedAndReleased() throws Exception {
        ApiClient api = new ApiClient(mvc);
        api.post("/api/v1/suppressions", "{\"emails\": [\"a1@api.test\", \"no\", null], \"why\": \"list\"}");
        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("emails[1]");
        assertThat(api.post("/api/v1/suppressions", "{\"emails\": []}").status())
                .isEqualTo(400);
        api.post("/api/v1/suppressions", "{\"emails\": [\"a1@api.test\"], \"why\": \"a\\u0007b\"}");
        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<String>json("$.errors[0].message")).contains("without control characters");
        for (int added : new int[] {2, 0}) {
            api.post("/api/v1/suppressions", "{\"emails\": [\"a1@api.test\", \"A2@api.test\"], \"why\": \"list\"}");
            assertThat(api.status()).isEqualTo(200);
            assertThat(api.<Integer>json("$.added")).isEqualTo(added);
        }
        api.get("/api/v1/suppressions?begins=a&limit=1000");
        assertThat(api.<List<String>>json("$.items[*].email")).contains("a1@api.test", "A2@api.test");
        assertThat(api.get("/api/v1/suppressions/a2@API.test").<String>json("$.reasonCode"))
                .isEqualTo("suppressed_imported");
        assertThat(api.delete("/api/v1/suppressions/a2@api.test?why=asked").status())
                .isEqualTo(204);
        assertThat(api.delete("/api/v1/suppressions/a2@api.test").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/suppressions/a2@api.test").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/suppressions?limit=0").status()).isEqualTo(400);
    }
}
