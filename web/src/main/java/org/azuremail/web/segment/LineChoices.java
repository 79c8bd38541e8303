package org.azuremail.web.segment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;
import org.azuremail.message.MessageStore;
import org.azuremail.segment.Rule;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.segment.SegmentForm.Line;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;

/**
 * The choices that the page of a segment offers for each line of its form.
 *
 * @param list the list of the form; {@code null} while none is chosen
 * @param known the fields of the list
 */
record LineChoices(
        SegmentForm form,
        @Nullable ListName list,
        ListFields known,
        Segments segments,
        MessageStore messages,
        MessageSourceAccessor texts) {

    private static final int MESSAGES = 30;

    /**
     * Returns the form with fitting questions: a changed line whose question no longer fits gets the first question
     * that the page offers.
     */
    SegmentForm fitted() {
        return form.with(form.lines().stream()
                .map(line -> line.group() ? line : fitted(line))
                .toList());
    }

    private Line fitted(Line line) {
        Set<String> tests = questions(line).keySet();
        Set<String> values = answers(line).keySet();
        String test =
                tests.contains(line.test()) ? line.test() : tests.iterator().next();
        boolean fits = values.isEmpty() || values.contains(line.value());
        return new Line(
                line.level(),
                "",
                line.what(),
                test,
                fits ? line.value() : values.iterator().next());
    }

    /** Returns the subjects that a line can have, with their labels: the fields of the list first, then the rest. */
    Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        known.customFields().forEach(field -> kinds.put("field:" + field.name(), field.label()));
        for (Operand operand : Operand.values()) {
            if (operand != Operand.FIELD) {
                kinds.put(AsciiWord.of(operand), texts.getMessage("segment.what." + operand));
            }
        }
        form.lines().stream().filter(line -> !line.group()).forEach(line -> offer(kinds, line.what()));
        return kinds;
    }

    /** Returns the field of a line; a text for other subjects and unknown fields, whatever their name. */
    private Field field(Line line) {
        return Optional.of(line.what())
                .filter(what -> what.startsWith("field:"))
                .flatMap(what -> known.find(what.substring("field:".length())))
                .orElseGet(() -> Field.text("name"));
    }

    /** Returns the questions about the subject of a line, with their words. */
    private Map<String, String> questions(Line line) {
        Map<String, String> questions = new LinkedHashMap<>();
        if (line.rule(List.of()) instanceof Rule.Test test) {
            Rule.Op.of(test.operand(), field(line).type())
                    .forEach(op -> questions.put(AsciiWord.of(op), texts.getMessage("segment.op." + op)));
        }
        return questions;
    }

    /** Returns the values to choose from, with their words; empty if the value is typed. */
    private Map<String, String> answers(Line line) {
        Map<String, String> answers = new LinkedHashMap<>();
        Field field = field(line);
        if (field.type() == FieldType.CHOICE) {
            field.options().forEach(option -> answers.put(option, option));
        } else if (field.type() == FieldType.YES_NO) {
            answers.put("yes", texts.getMessage("word.yes"));
            answers.put("no", texts.getMessage("word.no"));
        } else if (line.what().equals(AsciiWord.of(Operand.STATE))) {
            for (SubscriberState state : SubscriberState.values()) {
                answers.put(AsciiWord.of(state), texts.getMessage("state." + AsciiWord.of(state)));
            }
        } else if (line.what().equals(AsciiWord.of(Operand.SOURCE))) {
            for (Origin.Channel how : Origin.Channel.values()) {
                answers.put(AsciiWord.of(how), texts.getMessage("segment.source." + AsciiWord.of(how)));
            }
        } else if (line.what().equals(AsciiWord.of(Operand.SEGMENT))) {
            Optional.ofNullable(list).map(segments::all).orElse(List.of()).stream()
                    .map(Versioned::value)
                    .filter(other -> !other.name().value().equals(form.name()))
                    .forEach(other -> answers.put(other.name().value(), other.title()));
        } else if (line.what().equals(AsciiWord.of(Operand.MESSAGE))) {
            messages.sent(MESSAGES, null)
                    .items()
                    .forEach(message -> answers.put(message.ref().toString(), message.subject()));
            offer(answers, line.value());
        }
        return answers;
    }

    /**
     * Returns the choices for a line. They include a stored value that has ceased to be a choice; otherwise a browser
     * would send another choice.
     */
    Offered offered(Line line) {
        Map<String, String> questions = questions(line);
        Map<String, String> answers = answers(line);
        if (!line.group()) {
            offer(questions, line.test());
            if (!answers.isEmpty()) {
                offer(answers, line.value());
            }
        }
        return new Offered(questions, answers, type(line));
    }

    /**
     * The choices for a line.
     *
     * @param answers the values to choose from; empty if the value is typed
     * @param type the type of the input if the value is typed
     */
    record Offered(Map<String, String> questions, Map<String, String> answers, String type) {}

    private static void offer(Map<String, String> choices, String present) {
        if (!present.isBlank()) {
            choices.putIfAbsent(present, present);
        }
    }

    private String type(Line line) {
        boolean days = line.test().equals(AsciiWord.of(Rule.Op.IN_LAST_DAYS));
        FieldType type = field(line).type();
        boolean date = type == FieldType.DATE || (line.what().equals(AsciiWord.of(Operand.JOINED)) && !days);
        if (type == FieldType.MONTH_DAY) {
            return "month-day";
        }
        return date ? "date" : type == FieldType.NUMBER || days ? "number" : "text";
    }
}
