package org.azuremail.image;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * An uploaded image.
 *
 * @param id the row key: an inverted time, so that the newest image comes first, and {@link #blob}
 * @param name the name of the uploaded file, for admins
 * @param alt the alternative text: one line
 * @param width the width as stored, in pixels
 * @param bytes the size as stored
 * @param by the admin who uploaded the image
 */
public record Image(String id, String name, String alt, int width, int height, int bytes, String by, Instant at) {

    /** The width of an email, in pixels. Images are stored with at most twice this width, for dense screens. */
    public static final int EMAIL_WIDTH = 600;

    private static final Pattern ID = Pattern.compile("\\d{13}-[A-Za-z0-9_-]{22}\\.(?:png|jpg|gif)");

    private static final int TIME_LENGTH = 14;

    static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    /** Returns the name of the blob of an id: 128 random bits and the suffix of the format. */
    static String blob(String id) {
        return id.substring(TIME_LENGTH);
    }

    public String blob() {
        return blob(id);
    }

    /** Returns the width at which an email shows the image. */
    public int shownWidth() {
        return Math.min(width, EMAIL_WIDTH);
    }
}
