package org.azuremail.image;

import java.util.List;

/** The reason for which an uploaded file is refused. */
public enum ImageRefusal {
    TOO_LARGE,
    /** The file is neither PNG nor JPEG nor GIF. */
    OTHER_FORMAT,
    /** Many mail programs do not show WebP. */
    WEBP,
    /** The file declares too many pixels. All frames of an animation count. */
    TOO_MANY_PIXELS,
    /** A JPEG in the colours of print (CMYK), which cannot be converted without its profile. */
    PRINT_COLOURS,
    /** The file ends too early, takes too long to decode, or cannot be decoded for another reason. */
    DAMAGED,
    /** An animated GIF that is too large to be stored unchanged. Resizing it would damage the animation. */
    LARGE_ANIMATION,
    /** The resized image is still too large. */
    LARGE_RESULT,
    /** There are too many images. */
    FULL;

    private static final int MB = 1024 * 1024;

    /** Returns the limits that the file exceeds: megabytes, millions of pixels, a width in pixels, or a number. */
    public List<Integer> limits() {
        return switch (this) {
            case TOO_LARGE -> List.of(Images.MAX_UPLOAD / MB);
            case TOO_MANY_PIXELS -> List.of(ImageFile.MAX_PIXELS / 1_000_000);
            case LARGE_ANIMATION -> List.of(ImageFile.MAX_WIDTH, ImageFile.MAX_BYTES / MB);
            case LARGE_RESULT -> List.of(ImageFile.MAX_BYTES / MB);
            case FULL -> List.of(Images.MAX);
            case OTHER_FORMAT, WEBP, PRINT_COLOURS, DAMAGED -> List.of();
        };
    }
}
