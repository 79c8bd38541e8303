package org.azuremail.web.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.image.Image;
import org.azuremail.image.Images;
import org.azuremail.image.Pictures;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

/** Tests the pages of images, and the addresses at which emails load them. */
@PageTest
class ImagePagesTest {

    private static final byte[] PNG = Pictures.file("png", 2400, 1200);
    private static final String ODD = "A [red] *sign* \"& more\" <b>";

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    Images images;

    @BeforeEach
    void signedIn() throws Exception {
        browser.signIn();
    }

    @AfterEach
    void noImages() {
        all().forEach(image -> images.delete(image.id()));
    }

    @Test
    void anImageIsUploadedShownChangedAndDeleted() throws Exception {
        assertThat(browser.open("/images").text()).contains("No images yet");
        assertThat(browser.page().select("a.button").eachText()).containsExactly("Add an image");

        upload(PNG, "A cherry tree");

        assertThat(browser.address()).isEqualTo("/images");
        assertThat(browser.text())
                .contains("The image “A cherry tree” is added.", "1,200 × 600 pixels", "by ann@example.org");
        Image image = all().get(0);
        String address = "http://localhost:8080/image/" + image.blob();
        assertThat(browser.page().select("code").eachText())
                .containsExactly(address, "![A cherry tree](" + address + ")");
        assertThat(browser.page().select(".picture img").attr("alt")).isEqualTo("A cherry tree");

        browser.open("/images/" + image.id() + "/edit");
        browser.submit("/images/" + image.id() + "/edit", Map.of("alt", " "));
        assertThat(browser.errorAt("alt")).isEqualTo("Enter an alt text.");
        browser.submit("/images/" + image.id() + "/edit", Map.of("alt", "A plum tree"));
        assertThat(browser.text())
                .contains("The alt text is saved.", "A plum tree")
                .doesNotContain("cherry");

        browser.open("/images/" + image.id() + "/delete");
        assertThat(browser.text()).contains("Delete the image “A plum tree”?", "drafts that show it lose the picture");
        browser.submit("/images/" + image.id() + "/delete", Map.of());
        assertThat(browser.text()).contains("The image is deleted.", "No images yet");
        assertThat(fetch("/image/" + image.blob()).getStatus()).isEqualTo(404);
        assertThat(browser.open("/images/" + image.id() + "/edit").text()).contains("Perhaps it was deleted.");
        assertThat(browser.status()).isEqualTo(404);
    }

    @Test
    void allMistakesAreShownAtTheirFieldsAndTheTypedTextStays() throws Exception {
        browser.open("/images/new").submit("/images/new", Map.of("alt", ""));
        assertThat(browser.errorAt("file")).isEqualTo("Choose an image.");
        assertThat(browser.errorAt("alt")).isEqualTo("Enter an alt text.");
        assertThat(browser.page().select(".summary a").eachAttr("href")).containsExactly("#file", "#alt");

        upload(new byte[0], "x".repeat(201));
        assertThat(browser.errorAt("file")).isEqualTo("The file is empty. Choose another one.");
        assertThat(browser.errorAt("alt")).contains("200");

        upload(Pictures.file("jpg", 30, 20), "");
        assertThat(browser.errorAt("alt")).isEqualTo("Enter an alt text.");
        assertThat(browser.errorAt("file")).startsWith("Choose the image again.");

        upload("RIFF\u0010\0\0\0WEBPVP8 ".getBytes(StandardCharsets.ISO_8859_1), ODD);
        assertThat(browser.errorAt("file")).contains("WebP");
        assertThat(browser.page().select("#alt").val()).isEqualTo(ODD);
        upload(new byte[Images.MAX_UPLOAD + 1], ODD);
        assertThat(browser.errorAt("file")).isEqualTo("The file has more than 10 MB. Choose a smaller one.");
        upload(Pictures.bomb(60_000, 60_000), ODD);
        assertThat(browser.errorAt("file")).contains("more than 30 million pixels");
        assertThat(all()).isEmpty();
    }

    @Test
    void anImageIsServedToEverybodyForEver() throws Exception {
        upload(Pictures.file("jpg", 30, 20), "A tree");
        String address = "/image/" + all().get(0).blob();

        MockHttpServletResponse image = fetch(address);

        assertThat(image.getStatus()).isEqualTo(200);
        assertThat(image.getContentType()).isEqualTo("image/jpeg");
        assertThat(image.getHeader("Cache-Control")).contains("immutable", "public", "max-age=31536000");
        assertThat(image.getHeader("Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
        assertThat(image.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(image.getHeader("Content-Security-Policy")).contains("default-src 'none'");
        assertThat(image.getHeader("Set-Cookie")).isNull();
        for (String other : List.of(
                "AAAAAAAAAAAAAAAAAAAAAA.jpg", "new", address.substring(7).replace("jpg", "png"))) {
            assertThat(fetch("/image/" + other).getStatus()).as(other).isEqualTo(404);
        }
        assertThat(fetch("/images").getStatus()).isEqualTo(303);
    }

    /** An alternative text is a text in both languages, whatever characters it has. */
    @Test
    void theMenuOfTheComposerOffersTheNewestImages() throws Exception {
        assertThat(browser.open("/images/latest").text()).isEqualTo("No images yet");
        upload(PNG, ODD);
        Image image = all().get(0);

        Element button = browser.open("/images/latest").page().selectFirst("button");

        String address = "http://localhost:8080/image/" + image.blob();
        assertThat(button.attr("data-markdown"))
                .isEqualTo("![A \\[red\\] \\*sign\\* \"\\& more\" \\<b\\>](" + address + ")");
        Element inserted = Jsoup.parse(button.attr("data-html")).selectFirst("img");
        assertThat(inserted.attr("alt")).isEqualTo(ODD);
        assertThat(inserted.attr("src")).isEqualTo(address);
        assertThat(inserted.attr("width")).isEqualTo("600");
        assertThat(inserted.attr("style")).isEqualTo("max-width:100%;height:auto");
        assertThat(button.selectFirst("img").attr("alt")).isEqualTo(ODD);
    }

    @Test
    void aTextThatSomebodyElseChangedMeanwhileIsShownBesideOnesOwn() throws Exception {
        upload(PNG, "first");
        String edit = "/images/" + all().get(0).id() + "/edit";
        browser.open(edit);
        TestBrowser stale = browser;
        var read = images.find(all().get(0).id()).orElseThrow();
        images.changeAlt(read, "theirs", read.etag());

        stale.submit(edit, Map.of("alt", "mine"));

        assertThat(stale.errorAt("alt")).isEqualTo("Current value: theirs");
        assertThat(stale.page().select("#alt").val()).isEqualTo("mine");
        stale.submit(edit, Map.of("alt", "mine"));
        assertThat(all().get(0).alt()).isEqualTo("mine");
    }

    @Test
    void aLongListHasPages() throws Exception {
        byte[] small = Pictures.file("png", 2, 2);
        List<String> alts = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            images.add(() -> small, "a.png", "Number " + i, "ann");
            alts.add("Number " + i);
        }
        browser.open("/images");
        assertThat(browser.page().select(".pictures li")).hasSize(24);
        List<String> shown =
                new ArrayList<>(browser.page().select(".pictures h2").eachText());
        browser.open(browser.page().select(".pager a").attr("href"));
        shown.addAll(browser.page().select(".pictures h2").eachText());
        assertThat(shown).containsExactlyInAnyOrderElementsOf(alts);
        assertThat(browser.open("/images?cursor=elsewhere").status()).isEqualTo(400);
    }

    private void upload(byte[] file, String alt) throws Exception {
        browser.open("/images/new").submit("/images/new", Map.of("alt", alt), Map.of("file", file));
    }

    private List<Image> all() {
        return images.page(1000, null).items();
    }

    private MockHttpServletResponse fetch(String address) throws Exception {
        return mvc.perform(get(address)).andReturn().getResponse();
    }
}
