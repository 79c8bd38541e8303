package org.azuremail.web;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.multipart;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import jakarta.servlet.http.Cookie;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockMultipartFile;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.AbstractMockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMultipartHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/**
 * A browser without scripts. It keeps cookies, follows redirects, and sends only forms and fields that the page
 * contains.
 */
public final class TestBrowser {

    private final MockMvc mvc;
    private final Map<String, Cookie> cookies = new LinkedHashMap<>();
    private MockHttpServletResponse answer = new MockHttpServletResponse();
    private String address = "/";
    private Locale language = Locale.ENGLISH;

    TestBrowser(MockMvc mvc) {
        this.mvc = mvc;
    }

    /** Asks for pages in this language from now on. */
    public TestBrowser inLanguage(Locale language) {
        this.language = language;
        return this;
    }

    /** Becomes the browser of an author who wrote in Markdown last. */
    public TestBrowser writingMarkdown() {
        cookies.put("azuremail-editor", new Cookie("azuremail-editor", "markdown"));
        return this;
    }

    public TestBrowser open(String path) throws Exception {
        return follow(send(request(HttpMethod.GET, URI.create(path)), path));
    }

    /** Opens a page without following its redirects. */
    public TestBrowser openWithoutFollowing(String path) throws Exception {
        return send(request(HttpMethod.GET, URI.create(path)), path);
    }

    /** Signs in with the account that the settings create. */
    public TestBrowser signIn() throws Exception {
        return signIn("ann@example.org", PageTestConfiguration.PASSWORD);
    }

    public TestBrowser signIn(String email, String password) throws Exception {
        return open("/sign-in").submit("/sign-in", Map.of("email", email, "password", password));
    }

    /** Fills in the form with this action and sends it. */
    public TestBrowser submit(String action, Map<String, String> values) throws Exception {
        return submit(action, values, Map.of());
    }

    /** Fills in the form with this action, attaches files and sends it. */
    public TestBrowser submit(String action, Map<String, String> values, Map<String, byte[]> files) throws Exception {
        String path = action.isEmpty() ? address : action;
        return follow(send(filled(form(action), path, values, files), path));
    }

    /** Fills in the form and sends it twice, as a double click does. The first response is discarded. */
    public TestBrowser submitTwice(String action, Map<String, String> values, Map<String, byte[]> files)
            throws Exception {
        FormElement form = form(action);
        send(filled(form, action, values, files), action);
        return follow(send(filled(form, action, values, files), action));
    }

    private static AbstractMockHttpServletRequestBuilder<?> filled(
            FormElement form, String path, Map<String, String> values, Map<String, byte[]> files) {
        AbstractMockHttpServletRequestBuilder<?> post = "multipart/form-data".equals(form.attr("enctype"))
                ? attach(form, files, path)
                : request(HttpMethod.POST, URI.create(path));
        fields(form, values).forEach((name, all) -> post.param(name, all.toArray(String[]::new)));
        return post;
    }

    /** Posts without a form, as a page of another site would. */
    public TestBrowser postForged(String path, Map<String, String> values) throws Exception {
        AbstractMockHttpServletRequestBuilder<?> post = request(HttpMethod.POST, URI.create(path));
        values.forEach(post::param);
        return send(post, path);
    }

    public int status() {
        return answer.getStatus();
    }

    public String header(String name) {
        return String.valueOf(answer.getHeader(name));
    }

    public String address() {
        return address;
    }

    public String text() throws Exception {
        return page().body().text();
    }

    /** Returns the text of this page and of all pages that follow it. */
    public String textOfAllPages() throws Exception {
        StringBuilder said = new StringBuilder(text());
        String next = page().select("a:contains(Next page)").attr("href");
        while (!next.isEmpty()) {
            said.append(' ').append(open(next).text());
            next = page().select("a:contains(Next page)").attr("href");
        }
        return said.toString();
    }

    public String body() throws Exception {
        return answer.getContentAsString();
    }

    public Document page() throws Exception {
        return Jsoup.parse(answer.getContentAsString(), "http://localhost");
    }

    public Map<String, Cookie> cookies() {
        return cookies;
    }

    /** Returns the error beside the field, or an empty text. */
    public String errorAt(String field) throws Exception {
        Element error = page().getElementById(field + "-error");
        return error == null ? "" : error.text();
    }

    private FormElement form(String action) throws Exception {
        return page().select("form").forms().stream()
                .filter(form -> form.attr("action").equals(action)
                        || form.select("button").eachAttr("formaction").contains(action))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no form to " + action + " on " + address + " (" + status() + ")"));
    }

    private static Map<String, List<String>> fields(FormElement form, Map<String, String> values) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (var field : form.formData()) {
            if (form.select("input[type=file][name=" + field.key() + "]").isEmpty()) {
                fields.computeIfAbsent(field.key(), key -> new ArrayList<>()).add(field.value());
            }
        }
        values.forEach((name, value) -> {
            if (form.select("[name=" + name + "]").isEmpty()) {
                throw new AssertionError("the form has no field " + name);
            }
            fields.put(name, List.of(value));
        });
        return fields;
    }

    private static MockMultipartHttpServletRequestBuilder attach(
            FormElement form, Map<String, byte[]> files, String path) {
        MockMultipartHttpServletRequestBuilder post = multipart(URI.create(path));
        for (Element input : form.select("input[type=file]")) {
            byte[] content = files.getOrDefault(input.attr("name"), new byte[0]);
            String name = files.containsKey(input.attr("name")) ? "upload" : "";
            post.file(new MockMultipartFile(input.attr("name"), name, "application/octet-stream", content));
        }
        return post;
    }

    private TestBrowser send(AbstractMockHttpServletRequestBuilder<?> request, String path) throws Exception {
        if (!cookies.isEmpty()) {
            request.cookie(cookies.values().toArray(Cookie[]::new));
        }
        MvcResult result = mvc.perform(request.locale(language)).andReturn();
        boolean file = result.getResponse().getHeader("Content-Disposition") != null;
        if (file && result.getRequest().isAsyncStarted()) {
            result = mvc.perform(MockMvcRequestBuilders.asyncDispatch(result)).andReturn();
        }
        answer = result.getResponse();
        address = path;
        for (Cookie cookie : answer.getCookies()) {
            if (cookie.getMaxAge() == 0) {
                cookies.remove(cookie.getName());
            } else {
                cookies.put(cookie.getName(), cookie);
            }
        }
        return this;
    }

    private TestBrowser follow(TestBrowser browser) throws Exception {
        int hops = 0;
        while (answer.getStatus() / 100 == 3 && answer.getHeader("Location") != null && hops++ < 5) {
            String target = URI.create("http://localhost" + address)
                    .resolve(String.valueOf(answer.getHeader("Location")))
                    .toString()
                    .replaceFirst("^http://localhost(:\\d+)?", "");
            send(request(HttpMethod.GET, URI.create(target)), target);
        }
        return browser;
    }
}
