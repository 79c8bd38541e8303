package org.azuremail.template;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/** The templates. Their names occur in files, rows and addresses, and never change. */
public enum TemplateName {
    /** The layout around every page. */
    LAYOUT("layout.html"),
    CONFIRM("confirm.html"),
    WELCOME("welcome.html"),
    UNSUBSCRIBE("unsubscribe.html"),
    PREFERENCES("preferences.html"),
    ERROR("error.html"),
    CONFIRMATION_EMAIL("confirmation-email.html"),
    /** The text part of the confirmation email; its first line is the subject. */
    CONFIRMATION_TEXT("confirmation-email.txt"),
    WELCOME_EMAIL("welcome-email.html"),
    /** The text part of the welcome email; its first line is the subject. */
    WELCOME_TEXT("welcome-email.txt"),
    /** The text that is added to a message without a link to unsubscribe. */
    FRAME("list-frame.html"),
    FRAME_TEXT("list-frame.txt");

    /** Fields that contain links of this service: only these may begin an address in an email. */
    static final Set<String> LINKS = Set.of("confirm", "unsubscribe", "preferences");

    /** The beginning of the text part of an email of this service. */
    public static final String SUBJECT = "Subject: ";

    private static final int MAX_LENGTH = 7_000;
    private static final int MAX_EMAIL_LENGTH = 24_000;

    private final String file;
    private final boolean email;
    private final boolean plain;

    TemplateName(String file) {
        this.file = file;
        this.email = file.contains("email") || file.startsWith("list-frame");
        this.plain = file.endsWith(".txt");
    }

    /**
     * An occasion on which a template is shown.
     *
     * @param values samples of all fields
     * @param needs selectors of required elements or, in plain text, required texts
     */
    public record State(String name, Map<String, Object> values, List<String> needs) {}

    public static Optional<TemplateName> of(String file) {
        return Arrays.stream(values()).filter(one -> one.file.equals(file)).findFirst();
    }

    public String file() {
        return file;
    }

    /** Returns whether the template is part of an email, not of a page. */
    public boolean email() {
        return email;
    }

    /** Returns whether the template is plain text, not HTML. */
    public boolean plain() {
        return plain;
    }

    /** Returns the longest text, in characters. A page with its layout stays below 15 KB. */
    public int longest() {
        return email ? MAX_EMAIL_LENGTH : MAX_LENGTH;
    }

    public List<State> states() {
        return TemplateSamples.of(this);
    }

    boolean form() {
        return !email && this != LAYOUT;
    }

    boolean document() {
        return this == LAYOUT || this == CONFIRMATION_EMAIL || this == WELCOME_EMAIL;
    }

    /** Returns the fields that it may use, besides those of lists. */
    public Set<String> texts() {
        return names((name, value) -> value instanceof String);
    }

    /** Returns the lists that it may walk through, with the fields of their items. */
    public Map<String, Set<String>> lists() {
        Map<String, Set<String>> lists = new LinkedHashMap<>();
        states().forEach(state -> state.values().forEach((name, value) -> {
            if (value instanceof List<?> items) {
                items.forEach(item -> ((Map<?, ?>) item).keySet().forEach(field -> lists.computeIfAbsent(
                                name, any -> new LinkedHashSet<>())
                        .add((String) field)));
            }
        }));
        return lists;
    }

    /** Returns the fields that are merged for each recipient of an email. */
    Set<String> ofRecipients() {
        return names((name, value) -> value.equals("{{" + name + "}}"));
    }

    private Set<String> names(BiPredicate<String, Object> wanted) {
        return states().stream()
                .flatMap(state -> state.values().entrySet().stream())
                .filter(field -> wanted.test(field.getKey(), field.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
