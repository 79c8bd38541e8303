package org.azuremail.image;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.azuremail.time.Time;

/**
 * An image as it is stored. An uploaded file is decoded and encoded again, so that nothing else that it contains, such
 * as a place in its EXIF data, is published. Only animated GIFs are stored unchanged.
 *
 * @param suffix the suffix of its name: {@code png}, {@code jpg} or {@code gif}
 */
record ImageFile(byte[] content, String suffix, int width, int height) {

    static final int MAX_WIDTH = 2 * Image.EMAIL_WIDTH;
    static final int MAX_HEIGHT = 6000;
    static final int MAX_PIXELS = 30_000_000;
    static final int MAX_BYTES = 2 * 1024 * 1024;

    /**
     * The most bytes of decoded pixels: those of a photo of 16 million pixels, or an eighth of a small heap, because
     * the service ends when the memory runs out. Of a larger image, only every second or third row and column is
     * decoded, which needs no memory for the others.
     */
    private static final long MAX_DECODED =
            Math.min(48_000_000, Runtime.getRuntime().maxMemory() / 8);

    private static final int COLOUR_BITS = 24;

    /**
     * The time to decode an image, because others wait for it. A photo takes about a second; a JPEG of a thousand scans
     * or a GIF with megabytes of comments takes minutes or hours.
     */
    private static final Duration MAX_DURATION = Duration.ofSeconds(15);

    /**
     * The most pieces of comments and the like before the pixels. The readers of PNG and GIF keep each of them, and a
     * million of them need more memory than a small installation has.
     */
    private static final int MAX_PIECES = 4000;

    private static final int PNG_PIXELS = 0x49444154;
    private static final byte GIF_EXTENSION = 0x21;
    private static final byte GIF_TRAILER = 0x3b;
    private static final float JPEG_QUALITY = 0.85f;

    static final class RefusedException extends Exception {

        private final ImageRefusal why;

        RefusedException(ImageRefusal why) {
            super(why.name());
            this.why = why;
        }

        ImageRefusal why() {
            return why;
        }
    }

    /** An input that remembers whether its reader wanted more than there is, and ends a reader that works too long. */
    private static final class Input extends MemoryCacheImageInputStream {

        private final Time time;
        private final Duration end;
        private boolean tooShort;

        Input(byte[] file, Time time) {
            super(new ByteArrayInputStream(file));
            this.time = time;
            this.end = time.elapsed().plus(MAX_DURATION);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (time.elapsed().compareTo(end) > 0) {
                throw new IOException("decoding takes too long");
            }
            int count = super.read(bytes, from, length);
            tooShort |= count < 0;
            return count;
        }
    }

    static ImageFile read(byte[] upload, Time time) throws RefusedException {
        if (upload.length > Images.MAX_UPLOAD) {
            throw new RefusedException(ImageRefusal.TOO_LARGE);
        }
        try (Input in = new Input(upload, time)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            ImageReader reader = readers.hasNext() ? readers.next() : null;
            String format = reader == null ? "" : reader.getFormatName().toLowerCase(Locale.ROOT);
            if (reader == null || !format.matches("png|jpeg|gif")) {
                throw new RefusedException(isWebp(upload) ? ImageRefusal.WEBP : ImageRefusal.OTHER_FORMAT);
            }
            try {
                reader.setInput(in, false, true);
                return read(upload, in, reader, format);
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException damaged) {
            throw new RefusedException(ImageRefusal.DAMAGED);
        }
    }

    private static ImageFile read(byte[] upload, Input in, ImageReader reader, String format)
            throws IOException, RefusedException {
        boolean gif = format.equals("gif");
        if ((gif ? extensionBlocks(upload) : format.equals("png") ? chunks(upload) : 0) > MAX_PIECES) {
            throw new RefusedException(ImageRefusal.DAMAGED);
        }
        long pixels = pixels(reader, 0);
        if (gif && reader.getNumImages(true) > 1) {
            return animation(upload, reader);
        }
        boolean jpeg = format.equals("jpeg");
        if (jpeg && isForPrint(reader)) {
            throw new RefusedException(ImageRefusal.PRINT_COLOURS);
        }
        BufferedImage decoded = decode(reader, 0, pixels);
        if (jpeg && in.tooShort) {
            throw new RefusedException(ImageRefusal.DAMAGED);
        }
        BufferedImage image = redrawn(decoded, jpeg ? Orientation.of(upload) : Orientation.UPRIGHT);
        ImageFile file = new ImageFile(
                jpeg ? jpeg(image) : png(image), jpeg ? "jpg" : "png", image.getWidth(), image.getHeight());
        if (file.content.length > MAX_BYTES) {
            throw new RefusedException(ImageRefusal.LARGE_RESULT);
        }
        return file;
    }

    /** Returns the number of chunks before the pixels of a PNG. */
    private static int chunks(byte[] upload) {
        ByteBuffer png = ByteBuffer.wrap(upload);
        int chunks = 0;
        for (int at = 8; png.getInt(at + 4) != PNG_PIXELS && chunks <= MAX_PIECES; at += 12 + png.getInt(at)) {
            chunks++;
        }
        return chunks;
    }

    /** Returns the number of blocks in comments and other extensions before the first image of a GIF. */
    private static int extensionBlocks(byte[] gif) {
        int at = (gif[10] & 0x80) == 0 ? 13 : 13 + (6 << (gif[10] & 7));
        int blocks = 0;
        while (gif[at] == GIF_EXTENSION && blocks <= MAX_PIECES) {
            for (at += 2; gif[at] != 0; at += 1 + (gif[at] & 0xff)) {
                blocks++;
            }
            blocks++;
            at++;
        }
        return blocks;
    }

    /** Returns whether a JPEG is in CMYK, which some versions of Java cannot decode, and others without its profile. */
    private static boolean isForPrint(ImageReader reader) throws IOException {
        Iterator<ImageTypeSpecifier> types = reader.getImageTypes(0);
        return !types.hasNext() || types.next().getColorModel().getColorSpace().getType() == ColorSpace.TYPE_CMYK;
    }

    private static long pixels(ImageReader reader, int frame) throws IOException, RefusedException {
        long pixels = (long) reader.getWidth(frame) * reader.getHeight(frame);
        if (pixels > MAX_PIXELS) {
            throw new RefusedException(ImageRefusal.TOO_MANY_PIXELS);
        }
        return pixels;
    }

    /**
     * Decodes each frame, because a damaged animation would be stored as it is. It must end with its trailer, so that
     * it is complete and nothing follows it.
     */
    private static ImageFile animation(byte[] upload, ImageReader reader) throws IOException, RefusedException {
        if (upload[upload.length - 1] != GIF_TRAILER) {
            throw new RefusedException(ImageRefusal.DAMAGED);
        }
        int width = littleEndian(upload, 6);
        int height = littleEndian(upload, 8);
        requireSmall(upload.length <= MAX_BYTES && width <= MAX_WIDTH && height <= MAX_HEIGHT);
        long pixels = 0;
        for (int frame = 0; frame < reader.getNumImages(true); frame++) {
            pixels += pixels(reader, frame);
            if (pixels > MAX_PIXELS) {
                throw new RefusedException(ImageRefusal.TOO_MANY_PIXELS);
            }
            // A frame may be larger than the screen, and is decoded as a whole.
            requireSmall(reader.getWidth(frame) <= MAX_WIDTH && reader.getHeight(frame) <= MAX_HEIGHT);
            reader.read(frame);
        }
        return new ImageFile(upload, "gif", width, height);
    }

    private static void requireSmall(boolean small) throws RefusedException {
        if (!small) {
            throw new RefusedException(ImageRefusal.LARGE_ANIMATION);
        }
    }

    private static BufferedImage decode(ImageReader reader, int frame, long pixels) throws IOException {
        int bits = reader.getImageTypes(frame).next().getColorModel().getPixelSize();
        int step = step(pixels, bits, MAX_DECODED);
        ImageReadParam parameters = reader.getDefaultReadParam();
        parameters.setSourceSubsampling(step, step, 0, 0);
        return reader.read(frame, parameters);
    }

    /**
     * Returns how many rows and columns there are for each that is decoded. The colours of a pixel count, even if the
     * file has fewer bits for it, because the image is redrawn with them.
     */
    static int step(long pixels, int bits, long maxBytes) {
        return (int) Math.ceil(Math.sqrt(pixels * Math.max(bits, COLOUR_BITS) / 8.0 / maxBytes));
    }

    /** Returns the image upright, in sRGB, and no larger than an email needs. */
    private static BufferedImage redrawn(BufferedImage decoded, Orientation orientation) {
        int width = orientation.turned() ? decoded.getHeight() : decoded.getWidth();
        int height = orientation.turned() ? decoded.getWidth() : decoded.getHeight();
        double scale = Math.min(1, Math.min((double) MAX_WIDTH / width, (double) MAX_HEIGHT / height));
        if (scale == 1 && decoded.getColorModel() instanceof IndexColorModel) {
            return decoded;
        }
        BufferedImage source = decoded;
        double left = scale;
        while (left <= 0.5) {
            // Halving takes every pixel into account; a single large step would leave out most of them.
            source = drawn(source, source.getWidth() / 2, source.getHeight() / 2, Orientation.UPRIGHT);
            left *= 2;
        }
        return drawn(source, scaled(width, scale), scaled(height, scale), orientation);
    }

    private static int scaled(int length, double scale) {
        return Math.max(1, (int) Math.round(length * scale));
    }

    private static BufferedImage drawn(BufferedImage source, int width, int height, Orientation orientation) {
        boolean opaque = source.getTransparency() == Transparency.OPAQUE;
        BufferedImage image = new BufferedImage(
                Math.max(1, width),
                Math.max(1, height),
                opaque ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
        boolean turned = orientation.turned();
        double across = (double) (turned ? image.getHeight() : image.getWidth()) / source.getWidth();
        double down = (double) (turned ? image.getWidth() : image.getHeight()) / source.getHeight();
        AffineTransform place = AffineTransform.getTranslateInstance(image.getWidth() / 2.0, image.getHeight() / 2.0);
        place.quadrantRotate(orientation.quarterTurns());
        place.scale(orientation.mirrored() ? -across : across, down);
        place.translate(-source.getWidth() / 2.0, -source.getHeight() / 2.0);
        Graphics2D canvas = image.createGraphics();
        canvas.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        canvas.drawImage(source, place, null);
        canvas.dispose();
        return image;
    }

    private static byte[] png(BufferedImage image) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (!ImageIO.write(image, "png", new MemoryCacheImageOutputStream(out))) {
            throw new IOException("no writer for PNG");
        }
        return out.toByteArray();
    }

    private static byte[] jpeg(BufferedImage image) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream file = new MemoryCacheImageOutputStream(out)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(JPEG_QUALITY);
            writer.setOutput(file);
            writer.write(null, new IIOImage(image, null, null), parameters);
        } finally {
            writer.dispose();
        }
        return out.toByteArray();
    }

    private static boolean isWebp(byte[] file) {
        return file.length > 12 && new String(file, 0, 12, StandardCharsets.ISO_8859_1).matches("(?s)RIFF.{4}WEBP");
    }

    private static int littleEndian(byte[] bytes, int at) {
        return (bytes[at] & 0xff) | ((bytes[at + 1] & 0xff) << 8);
    }
}
