package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.nodes.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

@PageTest
class PageWeightTest {

    private static final int MOST = 60 * 1024;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    MockMvc mvc;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/lists", "/subscribers", "/messages", "/messages/new", "/operations", "/settings"})
    void scriptAndStyleOfAPageStayBelow60KilobytesCompressed(String path) throws Exception {
        Document page = browsers.getObject().signIn().open(path).page();
        List<String> files = page.select("script[src], link[rel=stylesheet]").stream()
                .map(file -> file.hasAttr("src") ? file.attr("src") : file.attr("href"))
                .toList();

        int sum = 0;
        for (String file : files) {
            sum += compressed(file);
        }
        assertThat(files).hasSizeGreaterThan(2);
        assertThat(sum).as("bytes of " + files).isBetween(1, MOST);
    }

    private int compressed(String file) throws Exception {
        byte[] content = mvc.perform(MockMvcRequestBuilders.get(file))
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        assertThat(content).as(file).isNotEmpty();
        return zipped(content);
    }

    private static int zipped(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(content);
        }
        return bytes.size();
    }
}
