package org.azuremail.template;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.list.MailingList;
import org.azuremail.template.CompiledTemplate.Part;
import org.azuremail.template.TemplateFault.Code;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;

/**
 * Reads templates: {@code {{field}}}, {@code {{field|fallback}}}, {@code {{#if field}}…{{else}}…{{/if}}},
 * {@code {{#each list}}…{{/each}}}, {@code {{>page}}} in a layout, and {@code {{! remarks }}}. Other texts between
 * double braces are refused: there are no expressions.
 */
public final class TemplateCompiler {

    private static final int MAX_LINES = 1000;
    private static final int DEEPEST = 8;
    private static final Pattern TAG = Pattern.compile("\\{\\{([^{}]{0,600})}}");
    private static final Pattern FIELD = Pattern.compile("\\s*([a-z][a-z0-9-]{0,63})\\s*(?:\\|([^\\r\\n|]*))?");
    private static final Pattern OPEN = Pattern.compile("\\s*#(if|each)\\s+([a-z][a-z0-9-]{0,63})\\s*");
    private static final Pattern CLOSE = Pattern.compile("\\s*(else|/if|/each)\\s*");
    private static final Pattern SLOT = Pattern.compile("\\s*>\\s*page\\s*");

    private final TemplateName name;
    private final List<Token> tokens = new ArrayList<>();

    public record Result(
            @Nullable CompiledTemplate template, @Nullable TemplateFault fault) {}

    enum TokenKind {
        TEXT,
        FIELD,
        IF,
        EACH,
        ELSE,
        END_IF,
        END_EACH,
        PAGE;

        static TokenKind parse(String tag) {
            return valueOf(tag.replace("/", "END_").toUpperCase(Locale.ROOT));
        }

        /** Returns the kind as templates have it, for example {@code /if}. */
        @Override
        public String toString() {
            return name().replace("END_", "/").toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A piece of text inside or outside double braces.
     *
     * @param word the text, or the name of a field
     */
    record Token(TokenKind kind, String word, String fallback, int line) {

        boolean text() {
            return kind == TokenKind.TEXT;
        }

        boolean field() {
            return kind == TokenKind.FIELD;
        }
    }

    /** A fault of the template; {@link #compile} catches it. */
    static final class Refusal extends RuntimeException {

        private final transient TemplateFault fault;

        Refusal(int line, Code code, String detail) {
            super(code.name(), null, false, false);
            this.fault = new TemplateFault(line, code, detail);
        }
    }

    private TemplateCompiler(TemplateName name) {
        this.name = name;
    }

    public static Result compile(TemplateName name, String source) {
        try {
            return new Result(new TemplateCompiler(name).read(source.replace("\r\n", "\n")), null);
        } catch (Refusal refusal) {
            return new Result(null, refusal.fault);
        }
    }

    private CompiledTemplate read(String source) {
        if (source.length() > name.longest() || source.lines().count() > MAX_LINES) {
            throw new Refusal(0, Code.TEMPLATE_TOO_LONG, String.valueOf(name.longest()));
        }
        if (!MailingList.isText(source)) {
            throw new Refusal(0, Code.TEMPLATE_UNREADABLE, "control characters");
        }
        tokenize(source);
        HtmlContexts html = name.plain() ? null : new HtmlContexts(name, tokens);
        CompiledTemplate read = new CompiledTemplate(tree(html), html == null ? List.of() : html.styles());
        requireNeeds(read);
        return read;
    }

    private void tokenize(String source) {
        Matcher tag = TAG.matcher(source);
        int end = 0;
        int line = 1;
        while (tag.find()) {
            line = text(source.substring(end, tag.start()), true, line);
            String inside = tag.group(1);
            if (inside.startsWith("!")) {
                line = text("\n".repeat(lines(inside)), false, line);
            } else {
                tokens.add(token(inside, line));
            }
            end = tag.end();
        }
        text(source.substring(end), false, line);
    }

    private int text(String text, boolean before, int line) {
        int open = text.indexOf("{{");
        if (open >= 0) {
            throw new Refusal(line + lines(text.substring(0, open)), Code.TEMPLATE_NOT_CLOSED, "");
        }
        if (before && text.endsWith("{")) {
            throw new Refusal(line + lines(text), Code.TEMPLATE_NOT_A_TAG, "{{{");
        }
        if (text.codePoints().anyMatch(HtmlContexts::isMark)) {
            throw new Refusal(line, Code.TEMPLATE_NOT_A_TAG, "U+E000");
        }
        if (!text.isEmpty()) {
            tokens.add(new Token(TokenKind.TEXT, text, "", line));
        }
        return line + lines(text);
    }

    private static int lines(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }

    private Token token(String inside, int line) {
        Matcher close = CLOSE.matcher(inside);
        if (close.matches()) {
            return new Token(TokenKind.parse(close.group(1)), "", "", line);
        }
        Matcher open = OPEN.matcher(inside);
        if (open.matches()) {
            return new Token(TokenKind.parse(open.group(1)), open.group(2), "", line);
        }
        if (name == TemplateName.LAYOUT && SLOT.matcher(inside).matches()) {
            return new Token(TokenKind.PAGE, "", "", line);
        }
        Matcher field = FIELD.matcher(inside);
        if (!field.matches()) {
            throw new Refusal(line, Code.TEMPLATE_NOT_A_TAG, inside.strip());
        }
        return new Token(
                TokenKind.FIELD,
                field.group(1),
                field.group(2) == null ? "" : field.group(2).strip(),
                line);
    }

    /** An open block. */
    private record Open(int token, List<Part> before, List<Part> present, boolean otherwise) {}

    private List<Part> tree(@Nullable HtmlContexts html) {
        Deque<Open> open = new ArrayDeque<>();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            switch (token.kind()) {
                case TEXT -> parts.add(new CompiledTemplate.Text(token.word()));
                case PAGE -> parts.add(new CompiledTemplate.Slot());
                case FIELD -> parts.add(value(token, html == null ? EscapingContext.LINE : html.place(i), open));
                case IF, EACH -> {
                    requireBlock(token, open);
                    open.push(new Open(i, parts, List.of(), false));
                    parts = new ArrayList<>();
                }
                case ELSE -> {
                    Open block = close(token, TokenKind.IF, open);
                    if (block.otherwise()) {
                        throw new Refusal(token.line(), Code.TEMPLATE_BLOCK_MISSING, "else");
                    }
                    requireSameElement(block.token(), i, html);
                    open.push(new Open(block.token(), block.before(), parts, true));
                    parts = new ArrayList<>();
                }
                case END_IF, END_EACH -> {
                    TokenKind begin = token.kind() == TokenKind.END_IF ? TokenKind.IF : TokenKind.EACH;
                    Open block = close(token, begin, open);
                    requireSameElement(block.token(), i, html);
                    block.before().add(block(block, parts));
                    parts = block.before();
                }
            }
        }
        if (!open.isEmpty()) {
            Token left = tokens.get(open.peek().token());
            throw new Refusal(left.line(), Code.TEMPLATE_BLOCK_OPEN, "#" + left.kind() + " " + left.word());
        }
        return parts;
    }

    private Part block(Open block, List<Part> last) {
        Token begun = tokens.get(block.token());
        if (begun.kind() == TokenKind.EACH) {
            return new CompiledTemplate.Loop(begun.word(), List.copyOf(last));
        }
        return block.otherwise()
                ? new CompiledTemplate.Choice(begun.word(), List.copyOf(block.present()), List.copyOf(last))
                : new CompiledTemplate.Choice(begun.word(), List.copyOf(last), List.of());
    }

    private Open close(Token end, TokenKind begin, Deque<Open> open) {
        Open block = open.poll();
        if (block == null || tokens.get(block.token()).kind() != begin) {
            throw new Refusal(
                    end.line(), Code.TEMPLATE_BLOCK_MISSING, end.kind().toString());
        }
        return block;
    }

    private static void requireSameElement(int begin, int end, @Nullable HtmlContexts html) {
        if (html != null) {
            html.requireSame(begin, end);
        }
    }

    private void requireBlock(Token token, Deque<Open> open) {
        boolean each = token.kind() == TokenKind.EACH;
        if (open.size() == DEEPEST || (each && loop(open) != null)) {
            throw new Refusal(token.line(), Code.TEMPLATE_TOO_DEEP, "#" + token.kind() + " " + token.word());
        }
        boolean known = name.lists().containsKey(token.word())
                || (!each && knows(token.word(), open) && !name.ofRecipients().contains(token.word()));
        if (!known) {
            throw new Refusal(token.line(), Code.TEMPLATE_UNKNOWN_FIELD, token.word());
        }
    }

    private @Nullable String loop(Deque<Open> open) {
        return open.stream()
                .map(block -> tokens.get(block.token()))
                .filter(token -> token.kind() == TokenKind.EACH)
                .map(Token::word)
                .findFirst()
                .orElse(null);
    }

    private boolean knows(String field, Deque<Open> open) {
        String loop = loop(open);
        return name.texts().contains(field)
                || (loop != null && name.lists().getOrDefault(loop, Set.of()).contains(field));
    }

    private Part value(Token token, EscapingContext context, Deque<Open> open) {
        if (!knows(token.word(), open)) {
            throw new Refusal(token.line(), Code.TEMPLATE_UNKNOWN_FIELD, token.word());
        }
        if (!name.ofRecipients().contains(token.word())) {
            return new CompiledTemplate.Value(token.word(), token.fallback(), context);
        }
        boolean inAddress = context == EscapingContext.URL || context == EscapingContext.URL_PART;
        if (context == EscapingContext.STYLE
                || (inAddress && !(context == EscapingContext.URL && TemplateName.LINKS.contains(token.word())))) {
            throw new Refusal(token.line(), Code.TEMPLATE_BAD_PLACE, token.word());
        }
        return new CompiledTemplate.MergeField(token.word(), token.fallback());
    }

    private boolean has(String sample, String need) {
        if (need.equals(TemplateName.SUBJECT)) {
            return sample.lines().findFirst().orElse("").matches(need + ".*\\S.*");
        }
        return (name.plain() || need.startsWith("<!--"))
                ? sample.contains(need)
                : Jsoup.parse(sample).selectFirst(need) != null;
    }

    /** Requires the buttons and links without which a page or an email would not work. */
    private void requireNeeds(CompiledTemplate read) {
        for (TemplateName.State state : name.states()) {
            String sample = read.render(state.values(), "<!--page-->");
            for (String need : state.needs()) {
                if (!has(sample, need)) {
                    throw new Refusal(0, Code.TEMPLATE_MISSING, need);
                }
            }
        }
    }
}
