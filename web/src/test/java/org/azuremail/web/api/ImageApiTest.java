package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.jayway.jsonpath.JsonPath;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.azuremail.image.Pictures;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class ImageApiTest {

    @Autowired
    MockMvc mvc;

    @Test
    void anImageIsUploadedListedChangedAndDeleted() throws Exception {
        ApiClient api = new ApiClient(mvc);
        MockHttpServletResponse added = upload("alt=A%20tree&name=tree.png", Pictures.file("png", 2400, 600));
        assertThat(added.getStatus()).isEqualTo(201);
        String id = JsonPath.read(added.getContentAsString(), "$.id");
        String url = JsonPath.read(added.getContentAsString(), "$.url");
        assertThat(JsonPath.<Integer>read(added.getContentAsString(), "$.width"))
                .isEqualTo(1200);
        assertThat(image(url)).isEqualTo(200);

        assertThat(api.patch("/api/v1/images/" + id, "{\"alt\": \" \"}").status())
                .isEqualTo(400);
        assertThat(api.patch("/api/v1/images/" + id, "{\"alt\": \"A plum tree\"}")
                        .<String>json("$.alt"))
                .isEqualTo("A plum tree");
        assertThat(api.get("/api/v1/images?limit=1").<List<String>>json("$.items[*].alt"))
                .containsExactly("A plum tree");

        assertThat(api.delete("/api/v1/images/" + id).status()).isEqualTo(204);
        assertThat(image(url)).isEqualTo(404);
        assertThat(api.patch("/api/v1/images/" + id, "{\"alt\": \"A tree\"}").status())
                .isEqualTo(404);
    }

    @Test
    void anImageWithoutATextOrInAnotherFormatIsRefused() throws Exception {
        byte[] png = Pictures.file("png", 2, 2);
        MockHttpServletResponse silent = upload("alt=", png);
        assertThat(silent.getStatus()).isEqualTo(400);
        assertThat(JsonPath.<List<String>>read(silent.getContentAsString(), "$.errors[*].field"))
                .containsExactly("alt");

        MockHttpServletResponse bomb = upload("alt=x", Pictures.bomb(60_000, 60_000));
        assertThat(bomb.getStatus()).isEqualTo(415);
        assertThat(bomb.getContentAsString()).contains("more than 30 million pixels");
    }

    @Test
    void changesAtTheSameTimeAreAllMade() throws Exception {
        MockHttpServletResponse added = upload("alt=A%20tree", Pictures.file("png", 2, 2));
        String path = "/api/v1/images/" + JsonPath.read(added.getContentAsString(), "$.id");
        ApiClient api = new ApiClient(mvc);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> changes = IntStream.range(0, 80)
                    .<Callable<Integer>>mapToObj(i -> () ->
                            api.patch(path, "{\"alt\": \"Tree " + i + "\"}").status())
                    .toList();
            for (Future<Integer> answer : callers.invokeAll(changes)) {
                assertThat(answer.get()).isEqualTo(200);
            }
        } finally {
            callers.shutdown();
        }
    }

    private MockHttpServletResponse upload(String query, byte[] file) throws Exception {
        return mvc.perform(post(URI.create("/api/v1/images?" + query))
                        .header("Authorization", "Bearer " + PageTestConfiguration.API_KEY)
                        .contentType("image/png")
                        .content(file))
                .andReturn()
                .getResponse();
    }

    private int image(String url) throws Exception {
        return mvc.perform(get(URI.create(url).getPath()))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
