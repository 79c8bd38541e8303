package org.azuremail.web.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.Segment;
import org.azuremail.segment.Rule;
import org.azuremail.segment.Rule.Combinator;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Rule.Test;
import org.azuremail.segment.RuleJson;
import org.azuremail.segment.Segments;
import org.jspecify.annotations.Nullable;

/**
 * A segment as typed. Its rules are lines, each with every field: {@code level} is the number of groups around a line,
 * {@code joined} is blank for a test, and {@code what} is {@code field:<name>} for a field.
 *
 * @param etag the ETag of the version from which the form was filled; blank for a new segment
 */
record SegmentForm(
        @Nullable String list,
        @Nullable String name,
        @Nullable String description,
        @Nullable String etag,
        @Nullable List<String> level,
        @Nullable List<String> joined,
        @Nullable List<String> what,
        @Nullable List<String> test,
        @Nullable List<String> value) {

    private static final String FIELD = "field:";

    /** The most lines: each test together with the most groups around it. */
    private static final int MAX_LINES = (Segments.DEEPEST + 1) * Segments.MAX_TESTS;

    record Line(int level, String joined, String what, String test, String value) {

        public boolean group() {
            return !joined.isEmpty();
        }

        Rule rule(List<Rule> inside) {
            if (group()) {
                return new Group(RuleJson.parse(Combinator.values(), joined).orElse(Combinator.ALL), inside);
            }
            boolean field = what.startsWith(FIELD);
            Operand about = field
                    ? Operand.FIELD
                    : RuleJson.parse(Operand.values(), what).orElse(Operand.ADDRESS);
            Op op = RuleJson.parse(Op.values(), test).orElse(Op.IS);
            return new Test(
                    about, field ? what.substring(FIELD.length()) : "", op, op.takesValue() ? value.strip() : "");
        }
    }

    static SegmentForm of(String list, Segment segment, String etag) {
        Rule stored = RuleJson.read(segment.rules()).rule();
        List<Line> lines = new ArrayList<>();
        add(
                stored instanceof Group
                        ? stored
                        : new Group(Combinator.ALL, stored == null ? List.of() : List.of(stored)),
                0,
                lines);
        return new SegmentForm(list, segment.name().value(), segment.description(), etag, null, null, null, null, null)
                .with(lines);
    }

    static SegmentForm empty(@Nullable String list) {
        List<Line> lines = List.of(new Line(0, AsciiWord.of(Combinator.ALL), "", "", ""), newTest(1));
        return new SegmentForm(list, "", "", "", null, null, null, null, null).with(lines);
    }

    private static Line newTest(int level) {
        return new Line(level, "", AsciiWord.of(Operand.ADDRESS), AsciiWord.of(Op.CONTAINS), "");
    }

    private static void add(Rule rule, int level, List<Line> lines) {
        if (rule instanceof Group group) {
            lines.add(new Line(level, AsciiWord.of(group.combinator()), "", "", ""));
            group.rules().forEach(one -> add(one, level + 1, lines));
        } else if (rule instanceof Test one) {
            String what = one.operand() == Operand.FIELD ? FIELD + one.field() : AsciiWord.of(one.operand());
            lines.add(new Line(level, "", what, AsciiWord.of(one.op()), one.value()));
        }
    }

    SegmentForm with(List<Line> lines) {
        return new SegmentForm(
                list,
                name,
                description,
                etag,
                lines.stream().map(line -> String.valueOf(line.level())).toList(),
                lines.stream().map(Line::joined).toList(),
                lines.stream().map(Line::what).toList(),
                lines.stream().map(Line::test).toList(),
                lines.stream().map(Line::value).toList());
    }

    /**
     * Returns the posted lines, corrected: the first line is a group, and no line is more than one level below a
     * preceding group.
     */
    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        int count = Math.min(level == null ? 0 : level.size(), MAX_LINES);
        int deepest = 0;
        for (int i = 0; i < count; i++) {
            Line sent = new Line(0, at(joined, i), at(what, i), at(test, i), at(value, i));
            int wanted = at(level, i).matches("[0-9]{1,2}") ? Integer.parseInt(at(level, i)) : 1;
            int here = i == 0 ? 0 : Math.max(1, Math.min(wanted, deepest));
            String group = i == 0 && !sent.group() ? AsciiWord.of(Combinator.ALL) : sent.joined();
            lines.add(new Line(here, group, sent.what(), sent.test(), sent.value()));
            deepest = group.isEmpty() ? here : here + 1;
        }
        return lines.isEmpty() ? empty(list).lines() : lines;
    }

    private static String at(@Nullable List<String> values, int i) {
        return values == null || i >= values.size() || values.get(i) == null ? "" : values.get(i);
    }

    /** Returns a copy with another test or group at the end of a group. */
    SegmentForm plus(int group, boolean test) {
        List<Line> lines = new ArrayList<>(lines());
        int at = Math.min(Math.max(group, 0), lines.size() - 1);
        int inside = lines.get(at).level() + 1;
        int end = end(lines, at);
        if (!test) {
            lines.add(end++, new Line(inside, AsciiWord.of(Combinator.ANY), "", "", ""));
        }
        lines.add(end, newTest(test ? inside : inside + 1));
        return with(lines);
    }

    /** Returns a copy without a test, or without a group and its content. The first group always stays. */
    SegmentForm minus(int line) {
        List<Line> lines = new ArrayList<>(lines());
        if (line > 0 && line < lines.size()) {
            lines.subList(line, lines.get(line).group() ? end(lines, line) : line + 1)
                    .clear();
        }
        return with(lines);
    }

    /** Returns the index of the line after the content of a group. */
    private static int end(List<Line> lines, int group) {
        int end = group + 1;
        while (end < lines.size() && lines.get(end).level() > lines.get(group).level()) {
            end++;
        }
        return end;
    }

    /** Returns, for each line, the groups that end with it, the innermost first. */
    List<List<Integer>> ends() {
        List<Line> lines = lines();
        List<List<Integer>> ends = new ArrayList<>();
        lines.forEach(line -> ends.add(new ArrayList<>()));
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).group()) {
                ends.get(end(lines, i) - 1).add(i);
            }
        }
        return ends;
    }

    Rule rule() {
        return rule(lines(), 0);
    }

    private static Rule rule(List<Line> lines, int at) {
        List<Rule> inside = new ArrayList<>();
        for (int i = at + 1; i < end(lines, at); i++) {
            if (lines.get(i).level() == lines.get(at).level() + 1) {
                inside.add(rule(lines, i));
            }
        }
        return lines.get(at).rule(inside);
    }

    /** Returns the place of each line in the JSON of the rules. */
    List<String> pointers() {
        List<Line> lines = lines();
        List<String> pointers = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            pointers.add(pointer(lines, i, pointers));
        }
        return pointers;
    }

    private static String pointer(List<Line> lines, int line, List<String> before) {
        int level = lines.get(line).level();
        if (line == 0) {
            return "";
        }
        int place = 0;
        int group = line - 1;
        while (lines.get(group).level() >= level) {
            place += lines.get(group).level() == level ? 1 : 0;
            group--;
        }
        return before.get(group) + "/" + lines.get(group).joined() + "/" + place;
    }

    Optional<String> listTyped() {
        return Optional.ofNullable(list).filter(typed -> !typed.isBlank());
    }

    public boolean isNew() {
        return etag == null || etag.isBlank();
    }
}
