package org.azuremail.list;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The look of a list to its subscribers, in its emails and on the pages of their links.
 *
 * @param color the colour of buttons, as {@code #rrggbb}; {@code null} for the default
 * @param logo the name of an image of {@link Logos}; {@code null} to show the list's title instead
 * @param address the postal address at the end of each email of the list, in one line; {@code null} for none
 * @param formerLogos images that earlier messages show, the latest first
 * @param listed whether the preferences page of another list shows its subscribers that they are on this one
 */
public record Brand(
        @Nullable String color,
        @Nullable String logo,
        @Nullable String address,
        List<String> formerLogos,
        boolean listed) {

    /** The look of lists without their own, and of rows of older versions. */
    public static final Brand NONE = new Brand(null, null, null, List.of(), false);

    /** The most images kept beside the logo. */
    public static final int MAX_FORMER = 10;

    public static final String DEFAULT_COLOR = "#0069c2";

    private static final Pattern COLOR = Pattern.compile("#[0-9a-f]{6}");

    public Brand {
        if (color != null && !COLOR.matcher(color).matches()) {
            throw new IllegalArgumentException("a colour is #rrggbb");
        }
        formerLogos = List.copyOf(formerLogos);
        if (!logos(logo, formerLogos).allMatch(Logos::isName)) {
            throw new IllegalArgumentException("not a logo's name");
        }
        if (address != null && (address.isBlank() || !MailingList.isLine(address))) {
            throw new IllegalArgumentException("an address is one line");
        }
    }

    /** Returns a typed colour in its stored form: {@code #rrggbb} or {@code rrggbb}, in any case. */
    public static Optional<String> color(String typed) {
        String bare = typed.strip().toLowerCase(Locale.ROOT);
        String color = bare.startsWith("#") ? bare : "#" + bare;
        return COLOR.matcher(color).matches() ? Optional.of(color) : Optional.empty();
    }

    public Brand withColor(@Nullable String other) {
        return new Brand(other, logo, address, formerLogos, listed);
    }

    /**
     * Returns a copy with another logo. The former one is kept for messages that show it, and replaces the oldest one.
     */
    public Brand withLogo(@Nullable String other) {
        List<String> former =
                logos().filter(image -> !image.equals(other)).limit(MAX_FORMER).toList();
        return new Brand(color, other, address, former, listed);
    }

    public Brand withListed(boolean other) {
        return new Brand(color, logo, address, formerLogos, other);
    }

    Stream<String> logos() {
        return logos(logo, formerLogos);
    }

    private static Stream<String> logos(@Nullable String logo, List<String> former) {
        return Stream.concat(Stream.ofNullable(logo), former.stream());
    }

    /** Returns a copy with this address; a blank one counts as none. */
    public Brand withAddress(String typed) {
        return new Brand(color, logo, typed.isBlank() ? null : typed.strip(), formerLogos, listed);
    }

    public String buttonColor() {
        return color == null ? DEFAULT_COLOR : color;
    }

    /**
     * Returns the colour of the text on buttons: white or black, whichever has more contrast. One of them always has at
     * least 4.58, which is more than the 4.5 of WCAG 2.2, 1.4.3.
     */
    public String textColor() {
        double luminance = luminance(buttonColor());
        return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
    }

    /** Returns the relative luminance as defined by WCAG 2.2. */
    static double luminance(String color) {
        int rgb = Integer.parseInt(color.substring(1), 16);
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear((rgb >> 8) & 0xFF) + 0.0722 * linear(rgb & 0xFF);
    }

    private static double linear(int channel) {
        double share = channel / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
