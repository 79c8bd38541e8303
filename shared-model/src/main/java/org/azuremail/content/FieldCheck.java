package org.azuremail.content;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.content.MessageBodies.Problem;

/** Finds the faults of merge fields: unknown fields, and braces that were meant as a field but are not one. */
final class FieldCheck {

    /**
     * Braces that were meant as a field but are not one, such as {@code {{first name}}}. Longer ones count as not
     * closed.
     */
    private static final Pattern BROKEN_FIELD = Pattern.compile("\\{\\{[^{}]{1,600}}}");

    /** Opening braces of a field that does not end, as in an unfinished {@code name}. */
    private static final Pattern UNCLOSED_FIELD = Pattern.compile("\\{\\{(?!\\{)(?![^{}]{1,600}}})");

    /** The most mistakes of a kind that are reported at a time. */
    private static final int MAX_OF_A_KIND = 10;

    private static final int EXCERPT = 30;

    private FieldCheck() {}

    /** Adds the faults of a part of a message. In {@code html}, it checks the fields in the markup. */
    static void check(String field, String source, Set<String> attributeNames, List<Problem> problems) {
        Template template = field.equals("html") ? Template.parseHtml(source) : Template.parse(source);
        Set<String> unknown = new LinkedHashSet<>(template.fieldNames());
        unknown.removeAll(MessageBodies.BUILT_IN_FIELDS);
        unknown.removeAll(attributeNames);
        unknown.stream()
                .limit(MAX_OF_A_KIND)
                .map(name -> new Problem(
                        field,
                        BodyFault.FIELD_UNKNOWN,
                        BodyFault.part(field),
                        "{{" + name + "}}",
                        named(attributeNames)))
                .forEach(problems::add);
        template.parts().stream()
                .flatMap(part -> part instanceof Template.Literal literal ? brokenFields(literal.text()) : Stream.of())
                .limit(MAX_OF_A_KIND)
                .map(broken -> new Problem(
                        field,
                        BodyFault.FIELD_BROKEN,
                        BodyFault.part(field),
                        ContentLink.shortened(broken.group().replaceAll("\\s+", " "))))
                .forEach(problems::add);
        UNCLOSED_FIELD
                .matcher(source)
                .results()
                .limit(MAX_OF_A_KIND)
                .forEach(open -> problems.add(unclosed(field, source, open.start())));
    }

    static Stream<MatchResult> brokenFields(CharSequence text) {
        return BROKEN_FIELD.matcher(text).results();
    }

    private static Problem unclosed(String field, String source, int at) {
        long line = 1 + source.substring(0, at).chars().filter(c -> c == '\n').count();
        String rest = source.substring(at, Math.min(source.length(), at + EXCERPT));
        return new Problem(
                field,
                field.equals("subject") ? BodyFault.FIELD_OPEN_IN_SUBJECT : BodyFault.FIELD_OPEN,
                BodyFault.part(field),
                rest.lines().findFirst().orElse("{{"),
                line);
    }

    private static String named(Set<String> attributeNames) {
        return Stream.concat(MessageBodies.BUILT_IN_FIELDS.stream(), attributeNames.stream())
                .sorted()
                .map(name -> "{{" + name + "}}")
                .collect(Collectors.joining(", "));
    }
}
