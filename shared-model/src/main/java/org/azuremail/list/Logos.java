package org.azuremail.list;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;

/**
 * Logos of lists: PNG and JPEG images under names that cannot be guessed and whose content never changes. When a list
 * gets another logo, its latest ones are kept, because scheduled and sent messages show them. They are deleted with the
 * list.
 */
public record Logos(BlobStore blobs, IdSource ids) {

    /** The largest file, in bytes. */
    public static final int MAX_BYTES = 200 * 1024;

    /** The largest width and height, in pixels. */
    public static final int MAX_PIXELS = 2000;

    private static final String CONTAINER = "azuremaillogos";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{22}\\.(?:png|jpg)");

    public Logos {
        blobs.createContainer(CONTAINER);
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Stores an image.
     *
     * @return its name; empty if it is not a PNG or JPEG, or too large
     */
    public Optional<String> store(byte[] image) {
        Optional<String> suffix = image.length > MAX_BYTES ? Optional.empty() : suffix(image);
        return suffix.map(kind -> {
            String name = ids.token() + "." + kind;
            blobs.put(CONTAINER, name, image, BlobStore.ALWAYS);
            return name;
        });
    }

    public Optional<byte[]> find(String name) {
        return isName(name) ? blobs.read(CONTAINER, name) : Optional.empty();
    }

    /**
     * Deletes the images of one brand that the other one does not have: after the new brand is stored, or after storing
     * it failed.
     */
    public void deleteUnused(Brand before, Brand after) {
        Set<String> kept = after.logos().collect(Collectors.toSet());
        before.logos()
                .filter(image -> !kept.contains(image))
                .forEach(image -> blobs.delete(CONTAINER, image, BlobStore.ALWAYS));
    }

    /** Returns the suffix of the image's format. Only the head of the image is read, which needs little memory. */
    private static Optional<String> suffix(byte[] image) {
        try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(image))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                return Optional.empty();
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in);
                boolean fits = reader.getWidth(0) <= MAX_PIXELS && reader.getHeight(0) <= MAX_PIXELS;
                return switch (reader.getFormatName().toLowerCase(Locale.ROOT)) {
                    case "png" -> fits ? Optional.of("png") : Optional.empty();
                    case "jpeg" -> fits ? Optional.of("jpg") : Optional.empty();
                    default -> Optional.empty();
                };
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException damaged) {
            return Optional.empty();
        }
    }
}
