package org.azuremail.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import javax.imageio.ImageIO;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks how uploaded files become images, and that hostile and damaged ones are refused. */
class ImageFileTest {

    private static final String HTML = "<script>alert(1)</script>";

    @ParameterizedTest
    @CsvSource({
        "png, 2400, 1000, 1200, 500, png",
        "png, 300, 200, 300, 200, png",
        "jpg, 4001, 3000, 1200, 900, jpg",
        "gif, 1300, 650, 1200, 600, png",
        "png, 1, 12000, 1, 6000, png",
        "jpg, 5001, 5000, 1200, 1200, jpg"
    })
    void imagesAreAtMostTwiceAsWideAsAnEmail(
            String format, int width, int height, int newWidth, int newHeight, String suffix) throws Exception {
        ImageFile file = read(Pictures.file(format, width, height));

        assertThat(file.suffix()).isEqualTo(suffix);
        assertThat(file.width()).isEqualTo(newWidth);
        assertThat(file.height()).isEqualTo(newHeight);
        BufferedImage image = decoded(file);
        assertThat(image.getWidth()).isEqualTo(newWidth);
        assertThat(image.getHeight()).isEqualTo(newHeight);
        if (newWidth > 1) {
            assertThat(isRed(image, 0.25, 0.25)).isTrue();
            assertThat(isRed(image, 0.75, 0.25)).isFalse();
            assertThat(isRed(image, 0.25, 0.75)).isFalse();
        }
    }

    /** The red quarter is where a camera says that the left upper corner of its picture belongs. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.25, 0.25", "2, 0.75, 0.25", "3, 0.75, 0.75", "4, 0.25, 0.75",
        "5, 0.25, 0.25", "6, 0.75, 0.25", "7, 0.75, 0.75", "8, 0.25, 0.75",
        "0, 0.25, 0.25", "9, 0.25, 0.25"
    })
    void picturesOfCamerasAreUprightAndDoNotSayWhereTheyWereTaken(int orientation, double x, double y)
            throws Exception {
        byte[] jpeg = Pictures.withExif(Pictures.file("jpg", 1600, 800), orientation, "PLACE 48.1N 11.5E", 1);

        ImageFile file = read(jpeg);

        boolean turned = orientation > 4 && orientation < 9;
        assertThat(file.width()).isEqualTo(turned ? 800 : 1200);
        assertThat(file.height()).isEqualTo(turned ? 1600 : 600);
        assertThat(isRed(decoded(file), x, y)).isTrue();
        assertThat(isRed(decoded(file), 1 - x, y)).isFalse();
        assertThat(isRed(decoded(file), x, 1 - y)).isFalse();
        assertThat(text(file)).doesNotContain("PLACE", "Exif");
    }

    @Test
    void hugeAndDamagedExifDataIsLeftOut() throws Exception {
        byte[] jpeg = Pictures.withExif(Pictures.file("jpg", 40, 20), 6, "PLACE", 60);
        assertThat(jpeg).hasSizeGreaterThan(3_900_000);
        assertThat(read(jpeg).content()).hasSizeLessThan(2000);

        byte[] damaged = Pictures.withExif(Pictures.file("jpg", 40, 20), 6, "", 1);
        Arrays.fill(damaged, 16, 24, (byte) 0xff);
        assertThat(read(damaged).width()).isEqualTo(40);
    }

    @Test
    void transparencyIsKept() throws Exception {
        for (int width : new int[] {100, 2000}) {
            BufferedImage image = decoded(read(Pictures.transparentPalette(width, 50)));
            assertThat(image.getRGB(image.getWidth() / 4, 5) >>> 24).isZero();
            assertThat(image.getRGB(image.getWidth() * 3 / 4, 5)).isEqualTo(0xffffffff);
        }
    }

    @Test
    void deepGreyKeepsItsBrightness() throws Exception {
        int grey = decoded(read(Pictures.deepGrey(0x8080))).getRGB(5, 5) & 0xff;

        assertThat(grey).isBetween(0x7f, 0x81);
    }

    @Test
    void animationsAreStoredUnchangedOrRefused() throws Exception {
        byte[] gif = Pictures.animation(600, 300, 3);
        ImageFile file = read(gif);
        assertThat(file.content()).isEqualTo(gif);
        assertThat(file.suffix()).isEqualTo("gif");
        assertThat(file.width()).isEqualTo(600);

        assertThat(refusal(Pictures.animation(1201, 10, 2))).isEqualTo(ImageRefusal.LARGE_ANIMATION);
        assertThat(refusal(Pictures.withLongComment(gif))).isEqualTo(ImageRefusal.LARGE_ANIMATION);
        assertThat(refusal(Pictures.animation(1200, 1000, 26))).isEqualTo(ImageRefusal.TOO_MANY_PIXELS);
        assertThat(refusal(Arrays.copyOf(gif, gif.length * 4 / 5))).isEqualTo(ImageRefusal.DAMAGED);
        assertThat(refusal(Arrays.copyOf(gif, gif.length + 1))).isEqualTo(ImageRefusal.DAMAGED);
    }

    @Test
    void aFrameLargerThanTheAnimationMayBeIsRefused() throws Exception {
        byte[] wide = Pictures.animation(1300, 20, 2);
        wide[6] = 100;
        wide[7] = 0;
        byte[] tall = Pictures.animation(20, 6001, 2);
        tall[8] = 100;
        tall[9] = 0;

        assertThat(refusal(wide)).isEqualTo(ImageRefusal.LARGE_ANIMATION);
        assertThat(refusal(tall)).isEqualTo(ImageRefusal.LARGE_ANIMATION);
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 9})
    void anAnimationWithSmallFramesOnALargeScreenIsRefused(int highByteOfALength) throws Exception {
        byte[] gif = Pictures.animation(20, 20, 2);
        gif[highByteOfALength] = 100;

        assertThat(refusal(gif)).isEqualTo(ImageRefusal.LARGE_ANIMATION);
    }

    @ParameterizedTest
    @CsvSource({"60000, 60000", "10000, 3001", "2000000000, 2000000000", "1, 30000001"})
    void bombsAreRefusedByTheSizeThatTheyDeclare(int width, int height) {
        assertThat(refusal(Pictures.bomb(width, height))).isEqualTo(ImageRefusal.TOO_MANY_PIXELS);
    }

    @Test
    void anImageThatDeclaresMorePixelsThanItHasIsDamaged() {
        assertThat(refusal(Pictures.bomb(5000, 5000))).isEqualTo(ImageRefusal.DAMAGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpg", "gif"})
    void truncatedFilesAreRefused(String format) {
        byte[] whole = Pictures.file(format, 800, 600);
        for (int length : new int[] {whole.length / 4, whole.length / 2, whole.length * 9 / 10}) {
            assertThat(refusal(Arrays.copyOf(whole, length)))
                    .as("%d bytes", length)
                    .isEqualTo(ImageRefusal.DAMAGED);
        }
    }

    @Test
    void otherFilesAreRefusedWithTheirReason() throws Exception {
        assertThat(refusal(new byte[0])).isEqualTo(ImageRefusal.OTHER_FORMAT);
        assertThat(refusal(bytes("<svg xmlns='http://www.w3.org/2000/svg'>" + HTML + "</svg>")))
                .isEqualTo(ImageRefusal.OTHER_FORMAT);
        assertThat(refusal(Pictures.file("bmp", 10, 10))).isEqualTo(ImageRefusal.OTHER_FORMAT);
        assertThat(refusal(bytes("RIFF\u0010\0\0\0WEBPVP8 "))).isEqualTo(ImageRefusal.WEBP);
        assertThat(refusal(bytes("GIF89a/*" + HTML + "*/"))).isIn(ImageRefusal.DAMAGED, ImageRefusal.TOO_MANY_PIXELS);
        assertThat(refusal(bytes("\u0089PNG\r\n\u001a\n"))).isEqualTo(ImageRefusal.DAMAGED);
        assertThat(refusal(Pictures.cmyk())).isEqualTo(ImageRefusal.PRINT_COLOURS);
        assertThat(refusal(new byte[Images.MAX_UPLOAD + 1])).isEqualTo(ImageRefusal.TOO_LARGE);
    }

    @Test
    void whatFollowsAnImageInItsFileIsLeftOut() throws Exception {
        for (String format : new String[] {"png", "jpg", "gif"}) {
            byte[] image = Pictures.file(format, 30, 30);
            byte[] page = Arrays.copyOf(image, image.length + HTML.length());
            System.arraycopy(bytes(HTML), 0, page, image.length, HTML.length());
            assertThat(text(read(page))).as(format).doesNotContain("script");
        }
    }

    @Test
    void anImageThatStaysLargeIsRefused() {
        BufferedImage noise = new BufferedImage(1200, 900, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 1200 * 900; i++) {
            noise.setRGB(i % 1200, i / 1200, ThreadLocalRandom.current().nextInt());
        }

        assertThat(refusal(Pictures.encoded("png", noise))).isEqualTo(ImageRefusal.LARGE_RESULT);
    }

    /** Each ended a process with a heap of 96 MB: a scanned page of 30 million pixels, and a tall grey image. */
    @ParameterizedTest
    @CsvSource({"30000000, 1, 3", "7200000, 8, 2", "16000000, 24, 2", "3000000, 24, 1", "3000000, 32, 1"})
    void imagesInFewColoursAreReducedAsThoseInMany(long pixels, int bits, int step) {
        assertThat(ImageFile.step(pixels, bits, 12_000_000)).isEqualTo(step);
    }

    /** The reader keeps an object for each comment, and copies a long one again and again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void gifsWithThousandsOfCommentsAreRefused(boolean separate) throws Exception {
        assertThat(read(Pictures.withComments(100, separate)).width()).isEqualTo(20);

        assertThat(refusal(Pictures.withComments(5000, separate))).isEqualTo(ImageRefusal.DAMAGED);
    }

    @Test
    void pngsWithThousandsOfTextsAreRefused() throws Exception {
        assertThat(read(Pictures.withTexts(100)).width()).isEqualTo(20);

        assertThat(refusal(Pictures.withTexts(5000))).isEqualTo(ImageRefusal.DAMAGED);
    }

    @Test
    void aJpegThatTakesTooLongIsRefused() throws Exception {
        assertThat(ImageFile.read(Pictures.withScans(1), fast()).width()).isEqualTo(60);

        byte[] slow = Pictures.withScans(40_000);
        ImageFile.RefusedException refused =
                catchThrowableOfType(ImageFile.RefusedException.class, () -> ImageFile.read(slow, fast()));
        assertThat(refused).isNotNull();
        assertThat(refused.why()).isEqualTo(ImageRefusal.DAMAGED);
    }

    /** Returns a clock that goes on whenever it is read. */
    private static Time fast() {
        ManualTime time = new ManualTime();
        return new Time() {
            @Override
            public Instant instant() {
                return time.instant();
            }

            @Override
            public Duration elapsed() {
                time.advance(Duration.ofMillis(250));
                return time.elapsed();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                time.sleep(duration);
            }
        };
    }

    private static ImageFile read(byte[] file) throws ImageFile.RefusedException {
        return ImageFile.read(file, Time.system());
    }

    private static ImageRefusal refusal(byte[] file) {
        ImageFile.RefusedException refused = catchThrowableOfType(ImageFile.RefusedException.class, () -> read(file));
        assertThat(refused).isNotNull();
        return refused.why();
    }

    private static BufferedImage decoded(ImageFile file) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(file.content()));
    }

    private static boolean isRed(BufferedImage image, double x, double y) {
        int pixel = image.getRGB((int) (x * image.getWidth()), (int) (y * image.getHeight()));
        return (pixel >> 16 & 0xff) > 200 && (pixel & 0xff) < 60;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(ImageFile file) {
        return new String(file.content(), StandardCharsets.ISO_8859_1);
    }
}
