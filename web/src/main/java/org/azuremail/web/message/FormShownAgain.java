package org.azuremail.web.message;

import java.util.Comparator;
import java.util.List;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;

/** A form of a message that could not be saved, with everything that was typed and what is wrong with it. */
final class FormShownAgain {

    /** As they are on the page; the summary leads from top to bottom. */
    private static final List<String> FIELDS = List.of(
            "list",
            "subject",
            "preview",
            "template",
            "htmlTemplate",
            "markdown",
            "htmlFile",
            "html",
            "textFile",
            "text",
            "when",
            "date",
            "time",
            "zone",
            "mailClass",
            "onUnknown");

    private FormShownAgain() {}

    /** Keeps the errors, and shows them on the form that holds what was uploaded. */
    static void put(MessageForm typed, BindingResult errors, Model model) {
        MessageForm form = typed.withFilesAsText();
        BeanPropertyBindingResult shown = new BeanPropertyBindingResult(form, "form");
        errors.getGlobalErrors().forEach(error -> shown.reject(String.valueOf(error.getCode())));
        errors.getFieldErrors().stream()
                .sorted(Comparator.comparingInt((FieldError error) -> FIELDS.indexOf(error.getField())))
                .forEach(error -> shown.rejectValue(
                        error.getField(), String.valueOf(error.getCode()), error.getArguments(), null));
        model.addAttribute("form", form);
        model.addAttribute(BindingResult.MODEL_KEY_PREFIX + "form", shown);
    }
}
