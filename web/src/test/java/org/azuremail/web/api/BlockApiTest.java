package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Tests blocks by calls. */
@PageTest
class BlockApiTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    EndedMessage messages;

    @Test
    void aBlockIsFoundSortedAndRefused() throws Exception {
        ApiClient api = new ApiClient(mvc);
        messages.completed("blocks_b", Map.of("ann@example.org", Outcome.SENT));
        messages.completed("blocks_a", Map.of("ann@example.org", Outcome.SENT));
        String sorted = "latest-messages?sort=list&order=ascending";
        List<String> shown = browser.signIn()
                .open("/blocks/" + sorted)
                .page()
                .select("main li a")
                .eachAttr("href");
        assertThat(shown).hasSizeGreaterThan(1);
        assertThat(api.get("/api/v1/blocks/" + sorted).<List<String>>json("$.items[*].link"))
                .isEqualTo(shown);
        assertThat(api.get("/api/v1/blocks/latest-messages?sort=list").<List<String>>json("$.items[*].link"))
                .as("descending by default")
                .isNotEqualTo(shown)
                .isEqualTo(api.get("/api/v1/blocks/latest-messages?sort=list&order=descending")
                        .json("$.items[*].link"));
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
