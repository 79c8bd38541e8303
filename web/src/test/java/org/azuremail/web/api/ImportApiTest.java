package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.subscription.transfer.InlineImports;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class ImportApiTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    AutowireCapableBeanFactory beans;

    private ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"imp\", \"fromEmail\": \"news@example.org\"}");
    }

    @Test
    void aFileIsTakenWorkedOffAndItsRefusedRowsAreThere() throws Exception {
        api.postCsv("/api/v1/lists/imp/imports?verified=true", "email,town\nann@example.org,Köln\nbad,Ulm\n");

        assertThat(api.status()).isEqualTo(202);
        String location = api.header("Location");
        assertThat(location).isEqualTo("/api/v1/imports/" + api.json("$.id"));
        assertThat(api.get(location).<String>json("$.state")).isEqualTo("running");

        runImport(api.json("$.id"));

        api.get(location);
        assertThat(api.<String>json("$.state")).isEqualTo("completed");
        assertThat(api.<Integer>json("$.rows")).isEqualTo(2);
        assertThat(api.<Integer>json("$.imported")).isEqualTo(1);
        assertThat(api.<Integer>json("$.updated")).isEqualTo(0);
        assertThat(api.<Integer>json("$.refused")).isEqualTo(1);
        assertThat(api.<Integer>json("$.repeated")).isEqualTo(0);
        assertThat(api.<Integer>json("$.smtpUtf8")).isEqualTo(0);
        api.get(location + "/refused");
        assertThat(api.header("Content-Type")).startsWith("text/csv");
        assertThat(api.text().lines()).containsExactly("row,email,reason,town", "3,bad,not an email address,Ulm");
        api.get("/api/v1/lists/imp/subscriptions/ann@example.org");
        assertThat(api.<String>json("$.attributes.town")).isEqualTo("Köln");
        assertThat(api.<Boolean>json("$.verified")).isTrue();
        assertThat(api.get("/api/v1/lists/imp/export").text().lines())
                .first()
                .isEqualTo("email,name,state,verified,created_at,left_at,town");
    }

    @Test
    void aFileThatCannotBeReadFailsWithItsReason() throws Exception {
        api.postCsv("/api/v1/lists/imp/imports", "ann@example.org\n");
        String location = api.header("Location");
        runImport(api.json("$.id"));

        assertThat(api.get(location).<String>json("$.state")).isEqualTo("failed");
        assertThat(api.<String>json("$.reason")).contains("has no column for the email address");
    }

    @Test
    void aFileThatIsNoCsvAndUnknownImportsAndListsAreRefused() throws Exception {
        assertThat(api.post("/api/v1/lists/imp/imports", "{}").status()).isEqualTo(415);
        assertThat(api.send(HttpMethod.POST, "/api/v1/lists/imp/imports", null, "")
                        .status())
                .isEqualTo(415);
        assertThat(api.postCsv("/api/v1/lists/nope/imports", "email\n").status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/imports/nope").status()).isEqualTo(404);
        assertThat(api.postCsv("/api/v1/lists/imp/imports?verified=perhaps", "email\n")
                        .status())
                .isEqualTo(400);
    }

    private void runImport(String id) throws Exception {
        InlineImports.run(beans, new ImportId(id));
    }
}
