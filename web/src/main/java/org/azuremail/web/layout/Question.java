package org.azuremail.web.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.ui.Model;

/**
 * Asks before something is done that cannot be undone.
 *
 * @param title the question
 * @param text what will happen
 * @param yes what the button says
 * @param action where the answer is posted to
 * @param back where Cancel leads
 * @param fields what is posted with it
 * @param facts what it is about: label and value
 */
public record Question(
        String title,
        String text,
        String yes,
        String action,
        String back,
        Map<String, String> fields,
        Map<String, String> facts) {

    public Question(String title, String text, String yes, String action, String back) {
        this(title, text, yes, action, back, Map.of(), Map.of());
    }

    /** With a field that is posted. */
    public Question with(String field, String value) {
        return new Question(title, text, yes, action, back, plus(fields, field, value), facts);
    }

    /** With something that is shown. */
    public Question showing(String label, String value) {
        return new Question(title, text, yes, action, back, fields, plus(facts, label, value));
    }

    /** The page, under this part of the menu. */
    public String ask(Model model, String section) {
        model.addAttribute("question", this);
        model.addAttribute("section", section);
        return "question";
    }

    private static Map<String, String> plus(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }
}
