package org.azuremail.web.layout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;

/**
 * Asks for confirmation of an action with consequences, and states them. The texts are {@code question.<code>.title},
 * {@code .text} and {@code .yes} in messages.properties; each may use the values.
 *
 * @param values the values for the placeholders in the texts, in order
 * @param action the address to which the answer is posted
 * @param back the address of the page to return to without an answer
 * @param fields the fields posted with the answer
 * @param facts the facts that the question shows: the code of the label ({@code label.<code>}) and the value
 * @param destroys whether the action deletes or stops something; its button then warns
 */
public record Question(
        String code,
        List<Object> values,
        String action,
        String back,
        Map<String, String> fields,
        Map<String, Object> facts,
        boolean destroys) {

    public Question(String code, String action, String back) {
        this(code, List.of(), action, back, Map.of(), Map.of(), true);
    }

    /** Returns a copy with values for the texts: strings and numbers. */
    public Question about(Object... values) {
        return new Question(code, List.of(values), action, back, fields, facts, destroys);
    }

    /** Returns a copy for an action that neither deletes nor stops anything. */
    public Question destroysNothing() {
        return new Question(code, values, action, back, fields, facts, false);
    }

    public Question with(String field, String value) {
        return new Question(code, values, action, back, plus(fields, field, value), facts, destroys);
    }

    /** Returns a copy that shows another fact: a string, or a number, which is formatted in the reader's language. */
    public Question showing(String label, Object value) {
        return new Question(code, values, action, back, fields, plus(facts, label, value), destroys);
    }

    public String ask(Model model, String section) {
        model.addAttribute("question", this);
        model.addAttribute("section", section);
        return "question";
    }

    private static <V> Map<String, V> plus(Map<String, V> map, String key, V value) {
        Map<String, V> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }
}
