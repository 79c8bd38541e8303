package org.azuremail.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Reason;
import org.azuremail.segment.Rule.Combinator;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Rule.Test;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes rules as JSON: a group is {@code {"all": […]}}, {@code {"any": […]}} or {@code {"none": […]}}, and a
 * test is {@code {"what": "field", "field": "city", "test": "is", "value": "Berlin"}}. Unknown keys and words are
 * refused, with their places.
 */
public final class RuleJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The most groups nested in one another, including those of other segments, that can be read. */
    static final int MAX_LEVELS = 50;

    private static final Set<String> KEYS = Set.of("what", "field", "test", "value");

    private RuleJson() {}

    /**
     * A fault and its place.
     *
     * @param pointer a JSON pointer (RFC 6901), such as {@code /all/2/value}
     */
    public record Fault(String pointer, Reason reason) {

        Fault(String pointer, Reason.Code code, Object... values) {
            this(pointer, Reason.of(code, values));
        }
    }

    /**
     * The result of reading rules.
     *
     * @param rule {@code null} if there are faults
     */
    public record Read(@Nullable Rule rule, List<Fault> faults) {}

    public static Read read(String json) {
        try {
            return read(MAPPER.readTree(json));
        } catch (JacksonException e) {
            return new Read(null, List.of(new Fault("", RuleFault.RULES_NOT_JSON)));
        }
    }

    public static Read read(@Nullable JsonNode json) {
        List<Fault> faults = new ArrayList<>();
        Optional<Rule> rule = rule(json, "", 0, faults);
        return new Read(faults.isEmpty() ? rule.orElse(null) : null, faults);
    }

    static Rule stored(String json) {
        Rule rule = read(json).rule();
        if (rule == null) {
            throw new IllegalStateException("rules that cannot be read any more");
        }
        return rule;
    }

    public static JsonNode write(Rule rule) {
        ObjectNode node = MAPPER.createObjectNode();
        if (rule instanceof Group group) {
            ArrayNode rules = node.putArray(AsciiWord.of(group.combinator()));
            group.rules().forEach(one -> rules.add(write(one)));
        } else if (rule instanceof Test test) {
            node.put("what", AsciiWord.of(test.operand()));
            if (test.operand() == Operand.FIELD) {
                node.put("field", test.field());
            }
            node.put("test", AsciiWord.of(test.op()));
            if (test.op().takesValue()) {
                node.put("value", test.value());
            }
        }
        return node;
    }

    /** Reads a text that {@link #text} wrote. */
    public static JsonNode tree(String rules) {
        return write(stored(rules));
    }

    public static String text(Rule rule) {
        return MAPPER.writeValueAsString(write(rule));
    }

    private static Optional<Rule> rule(@Nullable JsonNode json, String at, int level, List<Fault> faults) {
        if (level > MAX_LEVELS) {
            faults.add(new Fault(at, RuleFault.RULES_DEEP, Segments.DEEPEST));
            return Optional.empty();
        }
        if (json instanceof ObjectNode object && object.size() == 1) {
            String key = object.propertyNames().iterator().next();
            Optional<Combinator> joined = parse(Combinator.values(), key);
            if (joined.isPresent() && object.get(key) instanceof ArrayNode rules) {
                return Optional.of(new Group(joined.get(), rules(rules, at + "/" + key, level, faults)));
            }
        }
        if (json instanceof ObjectNode object && object.has("what")) {
            return test(object, at, faults).map(test -> test);
        }
        faults.add(new Fault(at, RuleFault.RULES_SHAPE));
        return Optional.empty();
    }

    private static List<Rule> rules(ArrayNode json, String at, int level, List<Fault> faults) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < json.size(); i++) {
            rule(json.get(i), at + "/" + i, level + 1, faults).ifPresent(rules::add);
        }
        return rules;
    }

    private static Optional<Test> test(ObjectNode json, String at, List<Fault> faults) {
        Set<String> unknown = new TreeSet<>(json.propertyNames());
        unknown.removeAll(KEYS);
        unknown.forEach(key -> faults.add(new Fault(at + "/" + key, RuleFault.RULES_KEY)));
        Optional<Operand> operand = word(Operand.values(), json, "what", at, faults);
        Optional<Op> op = word(Op.values(), json, "test", at, faults);
        String field = text(json, "field", operand.filter(Operand.FIELD::equals).isPresent(), at, faults);
        String value = text(json, "value", op.filter(Op::takesValue).isPresent(), at, faults);
        return operand.flatMap(one -> op.map(asked -> new Test(one, field, asked, value)));
    }

    private static <E extends Enum<E>> Optional<E> word(
            E[] all, ObjectNode json, String key, String at, List<Fault> faults) {
        JsonNode node = json.get(key);
        String typed = node != null && node.isString() ? node.asString() : "";
        Optional<E> found = parse(all, typed);
        if (found.isEmpty()) {
            faults.add(new Fault(at + "/" + key, RuleFault.RULES_WORD, typed, words(all)));
        }
        return found;
    }

    private static String text(ObjectNode json, String key, boolean expected, String at, List<Fault> faults) {
        JsonNode node = json.get(key);
        boolean given = node != null && node.isString();
        if (expected != given) {
            faults.add(new Fault(at + "/" + key, expected ? RuleFault.RULES_VALUE_MISSING : RuleFault.RULES_KEY));
        }
        return given ? node.asString() : "";
    }

    public static <E extends Enum<E>> Optional<E> parse(E[] all, String word) {
        return Arrays.stream(all).filter(one -> AsciiWord.of(one).equals(word)).findFirst();
    }

    static String words(Enum<?>... all) {
        return Arrays.stream(all).map(AsciiWord::of).collect(Collectors.joining(", "));
    }

    public enum RuleFault implements Reason.Code {
        RULES_NOT_JSON,
        /** The value is neither a group nor a test. */
        RULES_SHAPE,
        /** The parameter is an unknown key. */
        RULES_KEY,
        /** The parameters are a word and the possible ones. */
        RULES_WORD,
        /** The parameter is the most characters. */
        RULES_LONG,
        /** The parameter is the most groups nested in one another. */
        RULES_DEEP,
        /** The parameter is the most groups nested in one another, including those of other segments. */
        RULES_DEEP_TOGETHER,
        /** The parameter is the most tests. */
        RULES_MANY,
        /** The parameter is the most earlier messages. */
        RULES_MESSAGES,
        RULES_GROUP_EMPTY,
        /** The parameter is the field's name. */
        RULES_FIELD_UNKNOWN,
        RULES_VALUE_MISSING,
        /** The parameter is the reason why the value does not fit. */
        RULES_VALUE,
        RULES_DATE,
        RULES_DAYS,
        /** The parameter is the message's number. */
        RULES_MESSAGE_UNKNOWN,
        /** The parameter is the number of a message whose outcomes are deleted. */
        RULES_MESSAGE_FORGOTTEN,
        /** The parameter is the message's number. */
        RULES_MESSAGE_PARTS,
        /** The parameter is the segment's name. */
        RULES_SEGMENT_UNKNOWN,
        /** The parameter is the segment's name. */
        RULES_CYCLE
    }
}
