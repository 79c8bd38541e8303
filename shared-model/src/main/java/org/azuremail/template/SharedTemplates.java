package org.azuremail.template;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The templates that all lists share: files in the configured directory, or else the product's own. It checks for
 * changed files at most once a second, without a storage call. If a file is refused, subscribers see the product's own
 * template. Safe for use from many threads; each process has its own copy.
 */
public final class SharedTemplates implements InstanceFacts {

    /** The fact that differs between processes with different files. */
    public static final String VERSION = "templates.version";

    /** The beginning of the names of facts about files in the directory, each with the hash of its text. */
    public static final String FILE = "templates.file.";

    private static final Logger LOG = LoggerFactory.getLogger(SharedTemplates.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_BYTES = 100_000;

    /** The product's own templates, compiled once. */
    private static final Map<TemplateName, Shared> OWN = Arrays.stream(TemplateName.values())
            .collect(Collectors.toUnmodifiableMap(name -> name, SharedTemplates::loadBuiltIn));

    private final @Nullable Path directory;
    private final Time time;
    private final Map<TemplateName, Stamped> files = new EnumMap<>(TemplateName.class);
    private volatile Map<TemplateName, Shared> current;
    private volatile Duration lastCheckElapsed;

    /**
     * A template that all lists share.
     *
     * @param text the text that subscribers get
     * @param fault why the file in the directory is not used; {@code null} if it is used, or does not exist
     */
    public record Shared(
            String text,
            CompiledTemplate compiled,
            @Nullable TemplateFault fault) {

        public String version() {
            return hash(text);
        }
    }

    /** A file as it was last read; {@code null} if it did not exist. */
    private record Stamped(@Nullable String stamp, @Nullable Shared shared) {}

    public SharedTemplates(@Nullable Path directory, Time time) {
        this.directory = directory;
        this.time = time;
        this.current = OWN;
        this.lastCheckElapsed = time.elapsed();
        refresh();
    }

    /** Returns the templates, at most a second old. */
    public Map<TemplateName, Shared> all() {
        if (directory != null && time.elapsed().minus(lastCheckElapsed).compareTo(CHECK_INTERVAL) >= 0) {
            refresh();
        }
        return current;
    }

    /** Returns the hash of all templates together. */
    public String version() {
        StringBuilder texts = new StringBuilder();
        new TreeMap<>(all()).forEach((name, shared) -> texts.append(name)
                .append(shared.text().length())
                .append(':')
                .append(shared.text()));
        blocks().forEach((file, hash) -> texts.append(file).append(hash));
        return hash(texts.toString());
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        facts.put(VERSION, version());
        all().forEach((name, shared) -> {
            if (!shared.text().equals(builtIn(name).text())) {
                facts.put(FILE + name.file(), shared.version());
            }
        });
        blocks().forEach((file, hash) -> facts.put(FILE + file, hash));
        return facts;
    }

    @Override
    public @Nullable String urgent() {
        return directory == null ? null : version();
    }

    /** Returns the files of block templates in the directory, with the hashes of their texts. */
    private Map<String, String> blocks() {
        Map<String, String> hashes = new TreeMap<>();
        if (directory != null && Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "block-*.html")) {
                for (Path file : files) {
                    hashes.put(
                            file.getFileName().toString(),
                            hash(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)));
                }
            } catch (IOException unreadable) {
                LOG.warn("The templates of blocks in {} are not compared: {}", directory, unreadable.toString());
            }
        }
        return hashes;
    }

    private synchronized void refresh() {
        lastCheckElapsed = time.elapsed();
        if (directory == null) {
            return;
        }
        Map<TemplateName, Shared> fresh = new EnumMap<>(TemplateName.class);
        for (TemplateName name : TemplateName.values()) {
            Path file = directory.resolve(name.file());
            Stamped known = files.get(name);
            String stamp = stamp(file);
            if (known == null || !Objects.equals(known.stamp(), stamp)) {
                known = new Stamped(stamp, stamp == null ? null : read(name, file));
                files.put(name, known);
            }
            fresh.put(name, known.shared() == null ? builtIn(name) : known.shared());
        }
        current = Map.copyOf(fresh);
    }

    private static @Nullable String stamp(Path file) {
        try {
            BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
            return of.lastModifiedTime() + " " + of.size() + " " + of.fileKey();
        } catch (NoSuchFileException none) {
            return null;
        } catch (IOException unreadable) {
            return unreadable.getClass().getSimpleName();
        }
    }

    private Shared read(TemplateName name, Path file) {
        Shared instead = builtIn(name);
        TemplateFault fault;
        try (InputStream in = Files.newInputStream(file)) {
            String text = text(in.readNBytes(MAX_BYTES));
            TemplateCompiler.Result result = TemplateCompiler.compile(name, text);
            if (result.template() != null) {
                return new Shared(text, result.template(), null);
            }
            fault = Objects.requireNonNull(result.fault());
        } catch (IOException unreadable) {
            fault = new TemplateFault(
                    0,
                    TemplateFault.Code.TEMPLATE_UNREADABLE,
                    unreadable.getClass().getSimpleName());
        }
        LOG.warn("The template {} is not used: {}", file, fault.reason());
        return new Shared(instead.text(), instead.compiled(), fault);
    }

    private static String text(byte[] bytes) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(java.nio.ByteBuffer.wrap(bytes))
                .toString();
        return (text.startsWith("\uFEFF") ? text.substring(1) : text).replace("\r\n", "\n");
    }

    private static Shared builtIn(TemplateName name) {
        return Objects.requireNonNull(OWN.get(name));
    }

    private static Shared loadBuiltIn(TemplateName name) {
        try (InputStream in =
                Objects.requireNonNull(SharedTemplates.class.getResourceAsStream(name.file()), name.file())) {
            String text = text(in.readAllBytes());
            TemplateCompiler.Result result = TemplateCompiler.compile(name, text);
            if (result.template() != null) {
                return new Shared(text, result.template(), null);
            }
            throw new IllegalStateException(name.file() + ": " + result);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the hash of a text: 16 hexadecimal digits. */
    public static String hash(String text) {
        return DigestUtils.sha256Hex(text).substring(0, 16);
    }

    /**
     * Settings of templates.
     *
     * @param directory templates that replace those of the product, file by file; optional
     */
    @ConfigurationProperties("azuremail.templates")
    public record TemplateProperties(@Nullable Path directory) {}
}
