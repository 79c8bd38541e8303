package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.security.OpenPort;
import org.jsoup.Connection;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An admin sends a form after the session has ended. */
@OpenPort
class KeptFormsTest {

    private static final Path TEMPLATES = Path.of("src/main/resources/templates");
    private static final Pattern FORM = Pattern.compile("<form[^>]*data-unsaved.*?</form>", Pattern.DOTALL);

    @LocalServerPort
    int port;

    @Autowired
    ListStore lists;

    @Autowired
    ApiKeys keys;

    private Connection browser;

    @BeforeEach
    void annIsSignedIn() throws IOException {
        browser = Jsoup.newSession().ignoreHttpErrors(true).header("Accept", "text/html");
        signIn();
    }

    private void signIn() throws IOException {
        send(
                open("/sign-in"),
                "/sign-in",
                Map.of("email", List.of("ann@example.org"), "password", List.of(PageTestConfiguration.PASSWORD)));
    }

    private Document open(String address) throws IOException {
        return browser.newRequest("http://localhost:" + port + address).get();
    }

    private Document send(Document page, String action, Map<String, List<String>> typed) throws IOException {
        FormElement form = page.select("form").forms().stream()
                .filter(one -> one.attr("action").equals(action))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no form to " + action + " on " + page.title()));
        Connection request = browser.newRequest(form.absUrl("action")).method(Connection.Method.POST);
        if (form.hasAttr("enctype")) {
            request.header("Content-Type", form.attr("enctype"));
        }
        form.formData().stream()
                .filter(field -> !typed.containsKey(field.key()))
                .forEach(field -> request.data(field.key(), field.value()));
        typed.forEach((name, values) -> values.forEach(value -> request.data(name, value)));
        return request.execute().parse();
    }

    private void create(String list) throws IOException {
        send(open("/lists/new"), "/lists/new", Map.of("name", List.of(list), "fromEmail", List.of("a@kept.test")));
        assertThat(lists.find(new ListName(list))).isPresent();
    }

    private void lose() {
        browser.cookieStore().removeAll();
    }

    /** Signs in, then sends the page with the kept text twice, because its first token belongs to the ended session. */
    private Document signInAndSend(Document kept, String action, Map<String, List<String>> typed) throws IOException {
        assertThat(kept.select("h1").text()).isEqualTo("You are signed out");
        signIn();
        Document again = send(kept, action, Map.of());
        assertThat(again.select("h1").text()).isEqualTo("Your entries are not saved yet");
        return send(again, action, typed);
    }

    @Test
    void aNewListIsCreatedAfterSigningInAgain() throws IOException {
        Document form = open("/lists/new");
        lose();

        Document kept = send(
                form,
                "/lists/new",
                Map.of(
                        "name",
                        List.of("kept_list"),
                        "description",
                        List.of("\"Quotes\" & <tags>"),
                        "fromEmail",
                        List.of("a@kept.test")));
        assertThat(lists.find(new ListName("kept_list"))).isEmpty();

        signInAndSend(kept, "/lists/new", Map.of());
        assertThat(lists.find(new ListName("kept_list")).orElseThrow().value().description())
                .isEqualTo("\"Quotes\" & <tags>");
    }

    @Test
    void allValuesOfOneNameComeBack() throws IOException {
        for (String name : List.of("kept_a", "kept_b", "kept_c")) {
            create(name);
        }
        Document form = open("/keys/new");
        lose();

        Document kept =
                send(form, "/keys/new", Map.of("label", List.of("kept key"), "lists", List.of("kept_a", "kept_c")));
        signInAndSend(kept, "/keys/new", Map.of());

        assertThat(keys.all())
                .filteredOn(key -> key.label().equals("kept key"))
                .singleElement()
                .extracting(ApiKey::lists)
                .isEqualTo(Set.of(new ListName("kept_a"), new ListName("kept_c")));
    }

    /** As many fields as the largest form has, that of a segment. */
    @Test
    void theLargestFormComesBack() throws IOException {
        create("kept_segment");
        Document form = open("/segments/new?list=kept_segment");
        lose();

        int lines = 300;
        Document kept = send(
                form,
                "/segments",
                Map.of(
                        "level",
                        Collections.nCopies(lines, "1"),
                        "joined",
                        Collections.nCopies(lines, ""),
                        "what",
                        Collections.nCopies(lines, "address"),
                        "test",
                        Collections.nCopies(lines, "contains"),
                        "value",
                        Collections.nCopies(lines, "kept"),
                        "act",
                        List.of("refresh")));

        assertThat(signInAndSend(kept, "/segments", Map.of()).select("[name=value][value=kept]"))
                .isNotEmpty();
    }

    @Test
    void secretsDoNotComeBackAndAreAskedForAgain() throws IOException {
        Document form = open("/settings/new?preset=own-server");
        lose();

        Document kept = send(
                form,
                "/settings/new",
                Map.of(
                        "name",
                        List.of("kept-server"),
                        "set.password",
                        List.of("hunter-two"),
                        "api_key",
                        List.of("sesame")));

        assertThat(kept.html()).contains("kept-server").doesNotContain("hunter-two", "sesame");
        signIn();
        Document again = send(kept, "/settings/new", Map.of("set.password", List.of("typed again")));
        assertThat(again.html()).contains("kept-server").doesNotContain("typed again");
        assertThat(again.select("label[for=set.password]").text()).isEqualTo("Password");
        assertThat(again.select("input[id=set.password]"))
                .singleElement()
                .satisfies(field -> assertThat(field.attr("type") + field.val()).isEqualTo("password"));
    }

    @Test
    void textOfAnotherSiteDoesNotComeBack() throws IOException {
        lose();
        String page = browser.newRequest("http://localhost:" + port + "/lists/new")
                .method(Connection.Method.POST)
                .header("Sec-Fetch-Site", "cross-site")
                .data("_keep", "on", "name", "planted")
                .execute()
                .body();

        assertThat(page).contains("Not allowed").doesNotContain("planted");
    }

    @Test
    void aRefusedFormWithoutTextLeadsToTheSignInAndBack() throws IOException {
        create("kept_question");
        Document question = open("/lists/kept_question/delete");
        String action = question.select("main form").attr("action");
        lose();

        Document refused = send(question, action, Map.of());

        assertThat(refused.text()).contains("You are signed out");
        Element link = refused.select("main a").first();
        assertThat(link).isNotNull();
        assertThat(link.attr("href")).startsWith("/sign-in?next=");
        Document back = send(
                open(link.attr("href")),
                "/sign-in",
                Map.of("email", List.of("ann@example.org"), "password", List.of(PageTestConfiguration.PASSWORD)));
        assertThat(back.select("h1").text()).isEqualTo(question.select("h1").text());
    }

    @Test
    void theSignInIsNotOfferedToSomebodyWhoIsSignedIn() throws IOException {
        Document page = browser.newRequest("http://localhost:" + port + "/lists/kept_any/delete")
                .method(Connection.Method.POST)
                .execute()
                .parse();

        assertThat(page.select("h1").text()).isEqualTo("Not allowed");
        assertThat(page.select("main a").eachAttr("href")).containsExactly("/");
    }

    @Test
    void everyFormThatWarnsOfUnsavedTextKeepsIt() throws IOException {
        try (Stream<Path> files = Files.walk(TEMPLATES)) {
            List<Path> pages = files.filter(Files::isRegularFile).toList();
            int forms = 0;
            for (Path page : pages) {
                for (String form : FORM.matcher(Files.readString(page))
                        .results()
                        .map(found -> found.group())
                        .toList()) {
                    assertThat(form)
                            .as(page.toString())
                            .containsAnyOf(
                                    "name=\"_keep\" value=\"on\"",
                                    "message/steps :: head",
                                    "th:each=\"field : ${kept}\"");
                    forms++;
                }
            }
            assertThat(forms).isGreaterThan(14);
        }
    }
}
