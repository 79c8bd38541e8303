package org.azuremail.web.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that every page, in light and dark, is accessible and not wider than its window, even if its texts are 40 %
 * longer, as a translation's may be. The pictures show the real texts.
 */
class EveryPageIT {

    @Test
    void everyPageIsAccessibleAndHasRoomForLongerTexts(@TempDir Path data) throws Exception {
        writeLongerTexts();
        SiteWalk.walk(data, Screens.WANTED ? "messages" : "longer");
    }

    /**
     * Writes texts that precede the real ones on the class path. Each is longer by two fifths; the parts in braces are
     * unchanged.
     */
    private static void writeLongerTexts() throws IOException {
        Properties texts = new Properties();
        try (InputStream file = EveryPageIT.class.getResourceAsStream("/messages.properties")) {
            texts.load(new InputStreamReader(file, StandardCharsets.UTF_8));
        }
        Properties longer = new Properties();
        texts.forEach((key, text) -> longer.put(
                key,
                text + " "
                        + "longer "
                                .repeat(Math.max(1, text.toString().length() * 2 / 35))
                                .strip()));
        Path classes = Path.of(EveryPageIT.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        try (Writer file = Files.newBufferedWriter(classes.resolve("longer.properties"))) {
            longer.store(file, null);
        }
    }
}
