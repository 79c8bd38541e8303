package org.azuremail.mail;

import java.util.regex.Pattern;

import java.nio.charset.StandardCharsets;

/**
 * The part before the {@code @}: words with dots between them, or a quoted string, in either also letters outside ASCII.
 * No comments and no folding: an envelope has none.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2">RFC 5321, 4.1.2</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6531#section-3.3">RFC 6531, 3.3</a>
 */
final class LocalPart {

    /** RFC 5321, 4.5.3.1.1, counted in octets: escaped, such an address is a key of any storage. */
    private static final int MAX_OCTETS = 64;

    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";

    /** Words with dots between them, or a quoted string in which a backslash stands before a character of ASCII. */
    private static final Pattern FORM =
            Pattern.compile(ATOM + "(?:\\." + ATOM + ")*|\"(?:[^\"\\\\]|\\\\[\\x00-\\x7E])+\"");

    private LocalPart() {}

    static boolean is(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= MAX_OCTETS
                && text.codePoints().allMatch(LocalPart::isAsciiOrLetter)
                && FORM.matcher(text).matches();
    }

    /** Nothing that is not seen, or that turns what is around it: with it two addresses look like one. */
    private static boolean isAsciiOrLetter(int c) {
        return c < 128
                ? c >= ' ' && c != 127
                : switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }
}
