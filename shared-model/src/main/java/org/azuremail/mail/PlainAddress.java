package org.azuremail.mail;

/**
 * The form that nearly all addresses have, of which no validator has anything to say: small letters and digits of ASCII, and
 * between two of them one dot, hyphen or, before the {@code @}, underscore. In the domain each label begins with a letter,
 * there are two or more, and the last has only letters. A text of another form may well be an address.
 */
final class PlainAddress {

    private static final int LONGEST_LOCAL = 64;
    private static final int LONGEST_LABEL = 63;
    private static final int SHORTEST_TOP = 2;

    private PlainAddress() {}

    static boolean is(String text) {
        int at = text.indexOf('@');
        return at > 0
                && at <= LONGEST_LOCAL
                && text.length() <= EmailAddress.MAX_LENGTH
                && isLocal(text, at)
                && isDomain(text, at + 1);
    }

    private static boolean isLocal(String text, int end) {
        boolean between = false;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean inner = isLetter(c) || isDigit(c);
            if (!inner && !(between && (c == '.' || c == '-' || c == '_'))) {
                return false;
            }
            between = inner;
        }
        return between;
    }

    private static boolean isDomain(String text, int from) {
        int label = from;
        for (int dot = text.indexOf('.', from); dot >= 0; dot = text.indexOf('.', label)) {
            if (!isLabel(text, label, dot)) {
                return false;
            }
            label = dot + 1;
        }
        return label > from && isTop(text, label);
    }

    private static boolean isLabel(String text, int from, int end) {
        if (from == end || end - from > LONGEST_LABEL || !isLetter(text.charAt(from))) {
            return false;
        }
        boolean between = false;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            boolean inner = isLetter(c) || isDigit(c);
            if (!inner && !(between && c == '-')) {
                return false;
            }
            between = inner;
        }
        return between;
    }

    private static boolean isTop(String text, int from) {
        int length = text.length() - from;
        if (length < SHORTEST_TOP || length > LONGEST_LABEL) {
            return false;
        }
        for (int i = from; i < text.length(); i++) {
            if (!isLetter(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
