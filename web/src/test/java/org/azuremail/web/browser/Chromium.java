package org.azuremail.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The system's Chromium, driven by Playwright, which downloads nothing. If it is missing, apt installs it where
 * possible.
 */
final class Chromium implements AutoCloseable {

    private static final List<String> PLACES = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/usr/bin/google-chrome-stable");
    private static final String COMMAND = "apt-get update && apt-get install -y --no-install-recommends chromium";

    /** Several processes of a build run browser tests, but only one of them may install the browser. */
    private static final Path LOCK = Path.of("target", "chromium.lock");

    private static final List<String> FLAGS =
            List.of("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setArgs(FLAGS)
                        .setHeadless(true));
        // A preview is replaced when its successor has loaded, which can take long on busy cores.
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
    }

    static Chromium start() throws IOException, InterruptedException {
        Optional<Path> found = findOrInstall();
        return new Chromium(found.orElseThrow(() -> new AssertionError("The browser test needs Chromium. As root, run: "
                + COMMAND + " — or name another with -Dazuremail.chromium=<path>.")));
    }

    private static synchronized Optional<Path> findOrInstall() throws IOException, InterruptedException {
        Files.createDirectories(LOCK.getParent());
        try (FileChannel channel = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock alone = channel.lock()) {
            assertThat(alone.isValid()).isTrue();
            if (find().isEmpty()) {
                install();
            }
            return find();
        }
    }

    Browser browser() {
        return browser;
    }

    private static Optional<Path> find() {
        String named = System.getProperty("azuremail.chromium");
        List<String> places = named == null ? PLACES : List.of(named);
        return places.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    }

    private static void install() throws IOException, InterruptedException {
        if (!"root".equals(System.getProperty("user.name")) || !Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
            return;
        }
        ProcessBuilder apt = new ProcessBuilder("sh", "-c", COMMAND).inheritIO();
        apt.environment().put("DEBIAN_FRONTEND", "noninteractive");
        Process process = apt.start();
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
