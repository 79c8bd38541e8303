package org.azuremail.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.template.TemplateName.State;

/** Sample values for previews of templates: invented people on an invented list. */
final class TemplateSamples {

    private static final String YES = "yes";
    private static final String WRONG = "Size must be one of these: S, M, L";

    private static final String FORM = "form[method=post][action=%s]:has(input[name=id][value=SAMPLE]):has(input[name="
            + "listName][value=campus_news])";

    private static final Map<String, Object> LINK =
            Map.of("list", "Campus News", "list-name", "campus_news", "id", "SAMPLE", "address", "al**@*******.org");

    private TemplateSamples() {}

    static List<State> of(TemplateName name) {
        return switch (name) {
            case LAYOUT -> LAYOUT;
            case CONFIRM -> CONFIRM;
            case WELCOME -> WELCOME;
            case UNSUBSCRIBE -> UNSUBSCRIBE;
            case PREFERENCES -> PREFERENCES;
            case ERROR -> ERROR;
            case CONFIRMATION_EMAIL ->
                email("a[href={{confirm}}]", Map.of("confirm", "{{confirm}}", "email", "{{email}}"));
            case CONFIRMATION_TEXT ->
                email("\n{{confirm}}", Map.of("confirm", "{{confirm}}", "email", "{{email}}"), TemplateName.SUBJECT);
            case WELCOME_EMAIL -> email("a[href={{unsubscribe}}]", OF_SUBSCRIBER);
            case WELCOME_TEXT -> email("\n{{unsubscribe}}", OF_SUBSCRIBER, TemplateName.SUBJECT);
            case FRAME -> email("a[href={{unsubscribe}}]", FRAME);
            case FRAME_TEXT -> email("{{unsubscribe}}", FRAME);
        };
    }

    private static final Map<String, Object> OF_SUBSCRIBER = Map.of(
            "unsubscribe", "{{unsubscribe}}",
            "preferences", "{{preferences}}",
            "email", "{{email}}",
            "list-address", "1 Campus Drive, Prague");

    private static final Map<String, Object> FRAME = Map.of(
            "unsubscribe", "{{unsubscribe}}", "preferences", "{{preferences}}", "list-address", "{{list-address}}");

    private static final List<State> LAYOUT = List.of(new State(
            "page",
            Map.of(
                    "title", "Unsubscribe?",
                    "list", "Campus News",
                    "logo", "/img/icon.svg",
                    "stylesheet", "/css/subscriber.css",
                    "look", "/look/0069c2.css"),
            List.of("<!--page-->", "title")));

    private static final List<State> CONFIRM = List.of(
            state("ask", Map.of("ask", YES), form("/subscribe") + " button:not([name])"),
            state("dead", Map.of("dead", YES), form("/subscribe") + " button[name=answer][value=new-link]"),
            state("sent", Map.of("sent", YES)));

    private static final List<State> WELCOME = List.of(state("welcome", Map.of()));

    private static final List<State> UNSUBSCRIBE = List.of(
            state("ask", Map.of("ask", YES), form("/unsubscribe") + " button[name=answer][value=confirm]"),
            state(
                    "left",
                    Map.of("left", YES, "proof", "PROOF"),
                    form("/unsubscribe") + ":has(input[name=proof][value=PROOF]) button[name=answer][value=come-back]"),
            state("stayed", Map.of("stayed", YES)),
            state("back", Map.of("back", YES)),
            state("already", Map.of("already", YES)),
            state("nobody", Map.of("nobody", YES)));

    private static final Map<String, Object> PERSON = Map.of(
            "name",
            "Alex Sample",
            "fields",
            List.of(
                    Map.of("field", "city", "label", "City", "value", "Prague", "options", "", "wrong", ""),
                    Map.of("field", "size", "label", "Size", "value", "XXL", "options", "S, M, L", "wrong", WRONG)),
            "lists",
            List.of(Map.of("other-list", "Job offers", "other-name", "jobs")),
            "known",
            List.of(Map.of("label", "Customer number", "value", "4***")),
            "since",
            "2 November 2026",
            "consents",
            List.of(Map.of("when", "2 November 2026", "network", "1***")));

    private static final List<State> PREFERENCES = List.of(
            state("form", with(PERSON, "ask", YES), form("/preferences") + " button"),
            state("wrong", with(with(PERSON, "wrong", YES), "name-wrong", WRONG), form("/preferences") + " button"),
            state("too-long", with(PERSON, "too-long", YES), form("/preferences") + " button"),
            state("saved", with(PERSON, "saved", YES), form("/preferences") + " button"),
            state("nobody", Map.of("nobody", YES)));

    private static final List<State> ERROR = List.of(
            state("incomplete", Map.of("incomplete", YES)),
            state("unknown", Map.of("unknown", YES)),
            state("too-late", Map.of("too-late", YES)),
            state("test-email", Map.of("test-email", YES)),
            state("unavailable", Map.of("unavailable", YES)));

    private static State state(String name, Map<String, Object> own, String... needs) {
        Map<String, Object> values = new HashMap<>(LINK);
        values.putAll(own);
        return new State(name, Map.copyOf(values), List.of(needs));
    }

    private static List<State> email(String need, Map<String, Object> ofRecipients, String... more) {
        Map<String, Object> values = new HashMap<>(Map.of(
                "list", "Campus News",
                "language", "en",
                "logo", "https://lists.example.org/logo/sample.png",
                "color", "#0069c2",
                "text-color", "#ffffff"));
        values.putAll(ofRecipients);
        List<String> needs = new ArrayList<>(List.of(more));
        needs.add(need);
        return List.of(new State("email", Map.copyOf(values), needs));
    }

    private static Map<String, Object> with(Map<String, Object> values, String name, Object value) {
        Map<String, Object> more = new HashMap<>(values);
        more.put(name, value);
        return more;
    }

    private static String form(String action) {
        return FORM.formatted(action);
    }
}
