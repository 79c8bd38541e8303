package org.azuremail.web.layout;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** Checks that all words of pages come from messages.properties and follow the product's style. */
class PageWordsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path TEMPLATES = ROOT.resolve("web/src/main/resources/templates");

    /** The pages that subscribers see. They contain their own words, because each list may replace them. */
    private static final String OF_SUBSCRIBERS = "membership/";

    /** The attributes that people see or hear. */
    private static final List<String> SPOKEN = List.of("title", "aria-label", "placeholder", "alt", "data-label");

    /** The attributes whose literals people would see or hear. */
    private static final Set<String> LITERALS =
            Set.of("th:text", "th:replace", "th:insert", "th:title", "th:placeholder", "th:alt", "th:aria-label");

    /** Words that belong to no language, such as the brand. */
    private static final Set<String> NO_WORDS = Set.of("AzureMail", "– AzureMail");

    private static final Pattern WORD = Pattern.compile("\\p{L}{2,}");
    /** Matches two words, or one that begins with a capital letter and is not compared with anything. */
    private static final Pattern LITERAL =
            Pattern.compile("(?<![=!]= )'([^']*\\p{L}{2,} [^']*\\p{L}{2,}[^']*|\\s*\\p{Lu}\\p{Ll}+[^']*)'");

    /** Matches the computed part of a text's key, which contains no words for people. */
    private static final Pattern KEYS = Pattern.compile("__\\$\\{[^}]*}__");

    private static final Pattern KEY = Pattern.compile("(?:#\\{|#messages\\.msg\\(')([\\w.-]+)[(}']");
    private static final Pattern PREFIX =
            Pattern.compile("#\\{__\\$\\{'([\\w.-]+[.-])' \\+|msg(?:OrNull|WithParams)\\('([\\w.-]+\\.)' \\+");
    private static final Pattern QUOTED = Pattern.compile("\"([a-z][\\w-]*(?:\\.[\\w-]+)*[.-]?)\"");

    /** The words that the style rules out of texts for people. */
    private static final Map<String, Pattern> RULED_OUT = new TreeMap<>(Map.of(
            "made for created", ruledOut("made|makes? (?:a|an|the|your) (?:list|key|link|account|message)"),
            "stored", ruledOut("stored"),
            "gone", ruledOut("gone"),
            "mended", ruledOut("mended|mend"),
            "stands", ruledOut("stands?"),
            "seen to", ruledOut("seen? to it|seen to|saw to"),
            "in vain", ruledOut("in vain|hold still|press(?:es|ed)?"),
            "headless who or what", Pattern.compile("(?:^|[.:;] )(?:Who|What|Whoever|Whatever) (?!.*\\?)"),
            "e-mail, or mail for an email", ruledOut("e-mails?|(?<!Azure)mails?(?! servers?| programs?)"),
            "nobody knows", ruledOut("nobody knows")));

    /**
     * Matches all sources except those of the API, the commands, SQL, samples, the emails and pages that subscribers
     * see, and sentences in old rows.
     */
    private static final Pattern NO_SENTENCES_EXPECTED =
            Pattern.compile("^(?!.*(?:/web/(?:api|security|membership)/|/copy/|/storage/|/listmail/|Command\\.java"
                    + "|Sample|LegacySentences|LinkCheck|ListName\\.java)).*$");

    /** Matches comments, log statements and exceptions. */
    private static final Pattern NOT_FOR_PAGES = Pattern.compile(
            "(?s)/\\*.*?\\*/|(?m:^\\s*//.*$)"
                    + "|(?:\\b(?:LOG|log)\\s*\\.\\w+|\\bnew \\w*(?:Exception|Error)|\\bsuper)\\((?:[^;\"]|\"(?:\\\\.|[^\"\\\\])*+\")*+;");

    private static final Pattern STRING = Pattern.compile("\"((?:\\\\.|[^\"\\\\])*+)\"");

    /** Matches text that begins with a capital letter, has at least three words, and is not a date pattern. */
    private static final Pattern SENTENCE =
            Pattern.compile("(?:^|[.>] )(?!MMM)\\p{Lu}[\\w’'-]* (?:[\\w’',-]+ )+[\\w’']{2,}(?:[.!?:]|$| )");

    private static Pattern ruledOut(String words) {
        return Pattern.compile("(?<![\\w.{@/-])(?:" + words + ")(?![\\w-]|\\.\\w)", Pattern.CASE_INSENSITIVE);
    }

    @Test
    void noTemplateHoldsAWordOfItsOwn() {
        List<String> found = new ArrayList<>();
        templates().filter(file -> !name(file).startsWith(OF_SUBSCRIBERS)).forEach(file -> Jsoup.parse(
                        text(file), Parser.xmlParser())
                .traverse((node, depth) -> words(node).forEach(word -> found.add(name(file) + ": " + word))));
        assertThat(found).isEmpty();
    }

    @Test
    void everyKeyOfATemplateHasAText() {
        Set<String> known = texts().stringPropertyNames();
        Set<String> missing = new TreeSet<>();
        templates().forEach(file -> matches(KEY, text(file))
                .map(match -> match.group(1))
                .filter(key -> !known.contains(key))
                .forEach(key -> missing.add(name(file) + ": " + key)));
        assertThat(missing).isEmpty();
    }

    /** A reader's language must not decide about a key: in Turkish, the lower case of I is ı. */
    @Test
    void noTemplateFoldsLettersInTheReadersLanguage() {
        assertThat(templates()
                        .filter(file -> Pattern.compile("to(?:Lower|Upper)Case|#strings\\.(?:un)?capitali")
                                .matcher(text(file))
                                .find())
                        .map(PageWordsTest::name))
                .isEmpty();
    }

    @Test
    void everyTextHasAUse() {
        Set<String> used = new TreeSet<>();
        Set<String> prefixes = new TreeSet<>();
        templates().map(PageWordsTest::text).forEach(text -> {
            matches(KEY, text).forEach(match -> used.add(match.group(1)));
            matches(PREFIX, text)
                    .forEach(match -> prefixes.add(match.group(1) == null ? match.group(2) : match.group(1)));
        });
        sources().map(PageWordsTest::text).forEach(text -> matches(QUOTED, text).forEach(match -> {
            String quoted = match.group(1);
            (quoted.matches(".*[.-]") ? prefixes : used).add(quoted);
        }));
        String code =
                Stream.concat(sources(), templates()).map(PageWordsTest::text).collect(Collectors.joining());
        Set<String> words = matches(Pattern.compile("[\\w-]+"), code)
                .map(MatchResult::group)
                .collect(toSet());
        Set<String> unused = texts().stringPropertyNames().stream()
                .filter(key -> !used.contains(key))
                .filter(key -> prefixes.stream()
                        .noneMatch(prefix -> key.startsWith(prefix) && names(key.substring(prefix.length()), words)))
                .collect(toCollection(TreeSet::new));
        assertThat(unused).isEmpty();
    }

    @Test
    void noTextUsesAWordThatTheStyleRulesOut() {
        List<String> found = new ArrayList<>();
        texts().forEach((key, text) -> ruledOut(key.toString(), text.toString(), found));
        assertThat(found).isEmpty();
    }

    /**
     * The API's answers, the commands, the log and exceptions are exempt, because they are for people who run or call
     * the service.
     */
    @Test
    void noClassHoldsASentence() {
        List<String> found = new ArrayList<>();
        sources()
                .filter(file -> NO_SENTENCES_EXPECTED.matcher(file.toString()).find())
                .forEach(file -> matches(
                                STRING, NOT_FOR_PAGES.matcher(text(file)).replaceAll(""))
                        .map(match -> match.group(1))
                        .filter(string -> SENTENCE.matcher(string).find())
                        .forEach(string -> found.add(file.getFileName() + ": " + string)));
        assertThat(found).isEmpty();
    }

    @Test
    void aSentenceInAClassIsFound() {
        String source = "/** \"A comment is no text.\" */ class A { String a() { LOG.warn(\"The log is exempt. \" + 1);"
                + " return \"The message is paused.\"; } }";
        assertThat(matches(STRING, NOT_FOR_PAGES.matcher(source).replaceAll("")).map(match -> match.group(1)))
                .filteredOn(string -> SENTENCE.matcher(string).find())
                .containsExactly("The message is paused.");
    }

    @Test
    void noKeyIsThereTwice() {
        Map<String, Long> times = Stream.of("shared-model", "web")
                .flatMap(module -> files(ROOT.resolve(module).resolve("src/main/resources"), ".properties"))
                .filter(file -> file.getFileName().toString().matches("messages\\w*\\.properties"))
                .flatMap(file -> matches(Pattern.compile("(?m)^\\s*([^#!\\s][^=:\\s]*)\\s*[=:]"), text(file))
                        .map(match -> file.getFileName() + ": " + match.group(1)))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(times)
                .hasSizeGreaterThan(1000)
                .allSatisfy((key, number) -> assertThat(number).as(key).isOne());
    }

    @Test
    void noTextHasAnApostropheThatItsFormatWouldEat() {
        List<String> found = new ArrayList<>();
        texts().forEach((key, text) -> {
            if (text.toString().replace("''", "").replaceAll("'[{}]+'", "").contains("'")) {
                found.add(key + "=" + text);
            }
        });
        assertThat(found).isEmpty();
    }

    /** Returns whether a class contains the code at the end of a computed key, as a text or as a constant. */
    private static boolean names(String rest, Set<String> words) {
        String code = rest.split("\\.")[0];
        return words.contains(code)
                || words.contains(code.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static void ruledOut(String where, String text, Collection<String> found) {
        RULED_OUT.forEach((rule, pattern) -> matches(pattern, text)
                .forEach(match -> found.add(rule + " (“" + match.group() + "”) in " + where + "=" + text)));
    }

    private static Stream<String> words(Node node) {
        if (node instanceof TextNode typed && !inCode(typed)) {
            String text = typed.text().strip();
            return WORD.matcher(text).find() && !NO_WORDS.contains(text) ? Stream.of(text) : Stream.empty();
        }
        if (!(node instanceof Element element)) {
            return Stream.empty();
        }
        return element.attributes().asList().stream().flatMap(attribute -> {
            if (SPOKEN.contains(attribute.getKey())) {
                return Stream.of(attribute.getKey() + "=" + attribute.getValue());
            }
            if (attribute.getKey().equals("th:attr")) {
                return Stream.of(attribute.getValue().split(",(?=[\\w-]+=)"))
                        .filter(one -> SPOKEN.contains(one.substring(0, one.indexOf('='))))
                        .flatMap(one -> matches(LITERAL, one).map(MatchResult::group));
            }
            return LITERALS.contains(attribute.getKey())
                    ? matches(LITERAL, KEYS.matcher(attribute.getValue()).replaceAll("#"))
                            .map(MatchResult::group)
                    : Stream.empty();
        });
    }

    private static boolean inCode(TextNode text) {
        return text.parent() != null && text.parent().nodeName().equals("code");
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static Properties texts() {
        Properties texts = new Properties();
        try (InputStream file = PageWordsTest.class.getResourceAsStream("/messages.properties")) {
            texts.load(new InputStreamReader(file, StandardCharsets.UTF_8));
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path template) {
        return TEMPLATES.relativize(template).toString().replace('\\', '/');
    }

    private static Stream<Path> templates() {
        return files(TEMPLATES, ".html");
    }

    private static Stream<Path> sources() {
        return Stream.of("shared-model", "worker-scheduler", "worker-sender", "web")
                .flatMap(module -> files(ROOT.resolve(module).resolve("src/main/java"), ".java"));
    }

    private static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
