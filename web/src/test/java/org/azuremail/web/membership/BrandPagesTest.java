package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.azuremail.list.Brand;
import org.azuremail.list.Logos;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.web.PageTest;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;

/** Checks that subscribers see the list's title, logo and colour. */
@PageTest
class BrandPagesTest extends MembershipSteps {

    private static final String EDIT = "/lists/" + LIST + "/edit";

    private boolean signedIn;

    @Autowired
    ListDeletion deletion;

    @Test
    void pagesCarryTheListsLogoAndColourAndNothingOfOurs() throws Exception {
        String query = joined(true);
        edit(Map.of("color", "#FFCC00"), image("png", 300, 80));

        browser.open("/unsubscribe?" + query);

        Element logo = browser.page().selectFirst(".list img");
        assertThat(logo.attr("alt")).isEqualTo("Members & friends");
        assertThat(browser.text()).doesNotContain("AzureMail");
        assertThat(browser.page().select("script, iframe, [style], [src^=http], link[href^=http]"))
                .isEmpty();
        assertThat(browser.page().html().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(15 * 1024);
        MockHttpServletResponse image = fetch(logo.attr("src"));
        assertThat(image.getContentType()).isEqualTo("image/png");
        assertThat(image.getHeader("Cache-Control")).contains("immutable", "public", "max-age=31536000");
        assertThat(image.getHeader("Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
        assertThat(image.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(fetch("/look/ffcc00.css").getContentAsString())
                .isEqualTo(":root{--brand:#ffcc00;--on-brand:#000000}");
        assertThat(browser.page().select("link[href=/look/ffcc00.css]")).hasSize(1);
    }

    @Test
    void aLogoIsKeptForWhatWasSentUntilTheListIsDeleted() throws Exception {
        edit(Map.of(), image("jpg", 10, 10));
        String logo = "/logo/" + lists.findActive(LIST).orElseThrow().brand().logo();

        edit(Map.of(), image("png", 10, 10));
        String other = "/logo/" + lists.findActive(LIST).orElseThrow().brand().logo();
        assertThat(fetch(logo).getContentType()).isEqualTo("image/jpeg");
        assertThat(fetch(other).getContentType()).isEqualTo("image/png");
        edit(Map.of("description", "The same logo"), null);
        assertThat(fetch(other).getStatus()).isEqualTo(200);

        edit(Map.of("withoutLogo", "true"), null);
        assertThat(lists.findActive(LIST).orElseThrow().brand().logo()).isNull();
        assertThat(fetch(other).getStatus()).isEqualTo(200);

        edit(Map.of(), image("png", 10, 10));
        String last = "/logo/" + lists.findActive(LIST).orElseThrow().brand().logo();
        deletion.begin(LIST);
        deletion.service().run();
        assertThat(fetch(last).getStatus()).isEqualTo(404);
    }

    @Test
    void aListThatOftenTakesAnotherLogoKeepsTheLatest() throws Exception {
        List<String> logos = new ArrayList<>();
        for (int i = 0; i < Brand.MAX_FORMER + 3; i++) {
            edit(Map.of(), image("png", 10 + i, 10));
            logos.add("/logo/" + lists.findActive(LIST).orElseThrow().brand().logo());
        }

        assertThat(logos.stream().filter(this::isThere).toList())
                .as("the logo and the ten before it")
                .isEqualTo(logos.subList(2, logos.size()));
        deletion.begin(LIST);
        deletion.service().run();
        assertThat(logos).noneMatch(this::isThere);
    }

    private boolean isThere(String logo) {
        try {
            return fetch(logo).getStatus() == 200;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", "\u0089PNG\r\n\u001a\n"})
    void filesThatAreNoImageAreRefusedAtTheirField(String content) throws Exception {
        edit(Map.of(), content.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(browser.errorAt("logo")).contains("PNG or JPEG");

        edit(Map.of(), image("png", Logos.MAX_PIXELS + 1, 1));
        assertThat(browser.errorAt("logo")).contains("2,000 by 2,000 pixels");
        edit(Map.of(), new byte[0]);
        assertThat(browser.errorAt("logo")).isEqualTo("The file is empty. Choose another one.");
        edit(Map.of("color", "red"), null);
        assertThat(browser.errorAt("color")).contains("#0069c2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/logo/AAAAAAAAAAAAAAAAAAAAAA.png",
                "/logo/x.svg",
                "/look/red.css",
                "/look/FFCC00.css",
                "/look/ffcc000.css"
            })
    void nothingElseIsServed(String address) throws Exception {
        assertThat(fetch(address).getStatus()).isEqualTo(404);
    }

    private void edit(Map<String, String> fields, byte @Nullable [] logo) throws Exception {
        if (!signedIn) {
            browser.signIn();
            signedIn = true;
        }
        browser.open(EDIT).submit(EDIT, fields, logo == null ? Map.of() : Map.of("logo", logo));
    }

    private MockHttpServletResponse fetch(String address) throws Exception {
        return mvc.perform(get(address)).andReturn().getResponse();
    }

    private static byte[] image(String kind, int width, int height) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), kind, out);
        return out.toByteArray();
    }
}
