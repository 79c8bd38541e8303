package org.azuremail.image;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** Image files for tests. */
public final class Pictures {

    private Pictures() {}

    /** Returns an image whose left upper quarter is red and whose rest is blue. */
    public static byte[] file(String format, int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        paint(image);
        return encoded(format, image);
    }

    private static void paint(BufferedImage image) {
        Graphics2D canvas = image.createGraphics();
        canvas.setColor(Color.BLUE);
        canvas.fillRect(0, 0, image.getWidth(), image.getHeight());
        canvas.setColor(Color.RED);
        canvas.fillRect(0, 0, image.getWidth() / 2, image.getHeight() / 2);
        canvas.dispose();
    }

    static byte[] encoded(String format, BufferedImage image) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, format, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Returns a PNG with a palette whose first colour, that of the left half, is transparent. */
    static byte[] transparentPalette(int width, int height) {
        byte[] red = {0, (byte) 255};
        IndexColorModel palette = new IndexColorModel(8, 2, red, red, red, 0);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, palette);
        for (int x = width / 2; x < width; x++) {
            for (int y = 0; y < height; y++) {
                image.getRaster().setSample(x, y, 0, 1);
            }
        }
        return encoded("png", image);
    }

    /** Returns a grey PNG of 16 bits with one value everywhere. */
    static byte[] deepGrey(int value) {
        BufferedImage image = new BufferedImage(40, 20, BufferedImage.TYPE_USHORT_GRAY);
        for (int i = 0; i < 40 * 20; i++) {
            image.getRaster().setSample(i % 40, i / 40, 0, value);
        }
        return encoded("png", image);
    }

    /** Returns an animated GIF. */
    static byte[] animation(int width, int height, int frames) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream file = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(file);
            writer.prepareWriteSequence(null);
            for (int i = 0; i < frames; i++) {
                BufferedImage frame = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED);
                paint(frame);
                writer.writeToSequence(new IIOImage(frame, null, null), null);
            }
            writer.endWriteSequence();
        }
        writer.dispose();
        return out.toByteArray();
    }

    /** Returns a GIF with a comment before its end that makes it larger than a stored image may be. */
    static byte[] withLongComment(byte[] gif) {
        byte[] block = new byte[256];
        Arrays.fill(block, (byte) 255);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(gif, 0, gif.length - 1);
        out.writeBytes(new byte[] {0x21, (byte) 0xfe});
        while (out.size() <= ImageFile.MAX_BYTES) {
            out.writeBytes(block);
        }
        out.writeBytes(new byte[] {0, 0x3b});
        return out.toByteArray();
    }

    /** Returns a JPEG in the four colours of print. */
    static byte[] cmyk() throws IOException {
        WritableRaster colours = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 40, 20, 4, null);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (ImageOutputStream file = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(file);
            writer.write(null, new IIOImage(colours, null, null), null);
        }
        writer.dispose();
        return out.toByteArray();
    }

    /** Returns a JPEG with EXIF data: an orientation, a place, and as many bytes of a maker's note as fit. */
    static byte[] withExif(byte[] jpeg, int orientation, String place, int segments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(jpeg, 0, 2);
        ByteBuffer exif = ByteBuffer.allocate(65_535);
        exif.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII));
        exif.put("MM\0*\0\0\0\b".getBytes(StandardCharsets.US_ASCII));
        exif.putShort((short) 1);
        exif.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
        exif.put(place.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < segments; i++) {
            out.write(new byte[] {(byte) 0xff, (byte) 0xe1, (byte) 0xff, (byte) 0xff});
            out.write(exif.array(), 0, 65_533);
        }
        out.write(jpeg, 2, jpeg.length - 2);
        return out.toByteArray();
    }

    /** Returns a PNG that declares any size and contains hardly any pixels. */
    public static byte[] bomb(int width, int height) {
        byte[] png = file("png", 1, 1);
        ByteBuffer.wrap(png).putInt(16, width).putInt(20, height);
        CRC32 sum = new CRC32();
        sum.update(png, 12, 17);
        ByteBuffer.wrap(png).putInt(29, (int) sum.getValue());
        return png;
    }

    /** Returns a GIF with so many blocks of comments, in one comment or one in each. */
    static byte[] withComments(int blocks, boolean separate) {
        byte[] gif = file("gif", 20, 10);
        int start = 13 + (6 << (gif[10] & 7));
        byte[] comment = {0x21, (byte) 0xfe};
        byte[] block = {1, 'a'};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(gif, 0, start);
        for (int i = 0; i < blocks; i++) {
            out.writeBytes(i == 0 || separate ? comment : new byte[0]);
            out.writeBytes(block);
            out.writeBytes(i == blocks - 1 || separate ? new byte[1] : new byte[0]);
        }
        out.write(gif, start, gif.length - start);
        return out.toByteArray();
    }

    /** Returns a PNG with a palette, whose reader reads all texts, and so many texts. */
    static byte[] withTexts(int texts) {
        byte[] png = transparentPalette(20, 10);
        byte[] text = {0, 0, 0, 2, 't', 'E', 'X', 't', 'a', 0, 0, 0, 0, 0};
        CRC32 sum = new CRC32();
        sum.update(text, 4, 6);
        ByteBuffer.wrap(text).putInt(10, (int) sum.getValue());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(png, 0, 33);
        for (int i = 0; i < texts; i++) {
            out.writeBytes(text);
        }
        out.write(png, 33, png.length - 33);
        return out.toByteArray();
    }

    /** Returns a progressive JPEG whose last scan is repeated. */
    static byte[] withScans(int repeated) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ImageWriteParam progressive = writer.getDefaultWriteParam();
        progressive.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        try (ImageOutputStream file = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(file);
            BufferedImage image = new BufferedImage(60, 30, BufferedImage.TYPE_INT_RGB);
            writer.write(null, new IIOImage(image, null, null), progressive);
        }
        writer.dispose();
        byte[] jpeg = out.toByteArray();
        int end = jpeg.length - 2;
        int scan = end;
        while (jpeg[scan] != (byte) 0xff || jpeg[scan + 1] != (byte) 0xda) {
            scan--;
        }
        out.reset();
        out.write(jpeg, 0, end);
        for (int i = 0; i < repeated; i++) {
            out.write(jpeg, scan, end - scan);
        }
        out.write(jpeg, end, 2);
        return out.toByteArray();
    }
}
