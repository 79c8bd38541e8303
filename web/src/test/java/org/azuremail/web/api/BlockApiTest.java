package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Blocks by calls. */
@PageTest
class BlockApiTest {

    @Autowired
    MockMvc mvc;

    @Test
    void aBlockIsFoundSortedAndRefused() throws Exception {
        ApiClient api = new ApiClient(mvc);
        assertThat(api.get("/api/v1/blocks/birthdays").status()).isEqualTo(200);
        assertThat(api.<List<?>>json("$.items")).isNotNull();
        assertThat(api.get("/api/v1/blocks/latest-messages?sort=subject&order=ascending&limit=5")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/blocks/birthdays?order=sideways").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/blocks/birthdays?limit=501").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/blocks/birthdays?sort=colour").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/blocks/nothing").status()).isEqualTo(404);
    }
}
