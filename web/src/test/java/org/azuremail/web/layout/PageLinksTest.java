package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.servlet.resource.ResourceResolver;
import org.springframework.web.servlet.resource.ResourceResolverChain;
import org.springframework.web.servlet.resource.ResourceUrlProvider;

@PageTest
class PageLinksTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ResourceUrlProvider files;

    private final LookedFor lookedFor = new LookedFor();

    @BeforeEach
    void watch() {
        handlers().forEach(handler -> handler.getResourceResolvers().add(0, lookedFor));
    }

    @AfterEach
    void watchNoMore() {
        handlers().forEach(handler -> handler.getResourceResolvers().remove(lookedFor));
    }

    @Test
    void onlyWhatIsAFileIsLookedForAmongTheFiles() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/lists");
        lookedFor.paths.clear();

        browser.open("/lists");

        assertThat(browser.page().select("nav a")).hasSizeGreaterThan(10);
        assertThat(lookedFor.paths)
                .containsExactlyInAnyOrder(
                        "img/icon.svg",
                        "picocss__pico/css/pico.min.css",
                        "css/azuremail.css",
                        "htmx.org/dist/htmx.min.js",
                        "js/azuremail.js",
                        "js/live.js");
    }

    @Test
    void addressesOfFilesChangeWithTheirContent() throws Exception {
        TestBrowser browser = browsers.getObject().signIn().open("/lists");

        assertThat(browser.page().select("link[rel=stylesheet]").eachAttr("href"))
                .anySatisfy(href -> assertThat(href).matches("/webjars/picocss__pico/[0-9.]+/css/pico.min.css"))
                .anySatisfy(href -> assertThat(href).matches("/css/azuremail-[0-9a-f]{32}\\.css"));
        assertThat(browser.page().select("link[rel=icon]").attr("href")).matches("/img/icon-[0-9a-f]{32}\\.svg");
        assertThat(browser.page().select("script").eachAttr("src"))
                .anySatisfy(src -> assertThat(src).matches("/js/azuremail-[0-9a-f]{32}\\.js"));
    }

    private List<ResourceHttpRequestHandler> handlers() {
        return List.copyOf(files.getHandlerMap().values());
    }

    private static final class LookedFor implements ResourceResolver {

        private final List<String> paths = new ArrayList<>();

        @Override
        public @Nullable Resource resolveResource(
                @Nullable HttpServletRequest request,
                String path,
                List<? extends Resource> locations,
                ResourceResolverChain chain) {
            return chain.resolveResource(request, path, locations);
        }

        @Override
        public @Nullable String resolveUrlPath(
                String path, List<? extends Resource> locations, ResourceResolverChain chain) {
            paths.add(path);
            return chain.resolveUrlPath(path, locations);
        }
    }
}
