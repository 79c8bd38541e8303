package org.azuremail.web.layout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ui.Model;

/**
 * Asks before an action with consequences, and states them. The texts are {@code question.<code>.title},
 * {@code .text} and {@code .yes} in messages.properties; each may use the values.
 *
 * @param values for the places in the texts, in order
 * @param action the address that the answer is posted to
 * @param back the address of the way back
 * @param fields posted with the answer
 * @param facts the things that the question is about: code of the label ({@code label.<code>}) and value
 * @param destroys whether the action deletes or stops something: its button warns
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

    /** Returns a copy with values for the texts: text and numbers. */
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

    /** Returns a copy that shows another fact: text, or a number, which is written in the reader's language. */
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
