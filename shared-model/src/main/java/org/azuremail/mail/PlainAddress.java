package org.azuremail.mail;

import java.util.regex.Pattern;

/**
 * The form that nearly all addresses have, of which no validator has anything to say: small letters and digits of ASCII, and
 * between two of them one dot, hyphen or, before the {@code @}, underscore. In the domain each label begins with a letter,
 * there are two or more, and the last has only letters. A text of another form may well be an address.
 */
final class PlainAddress {

    private static final Pattern FORM = Pattern.compile("(?=[^@]{1,64}@)[a-z0-9]+(?:[._-][a-z0-9]+)*+"
            + "@(?:(?=[a-z0-9-]{1,63}\\.)[a-z][a-z0-9]*(?:-[a-z0-9]+)*+\\.)++[a-z]{2,63}");

    private PlainAddress() {}

    static boolean is(String text) {
        return text.length() <= EmailAddress.MAX_LENGTH && FORM.matcher(text).matches();
    }
}
