package org.azuremail.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.azuremail.app.Features;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailTransport;
import org.azuremail.sending.TransportOpener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Checks that the code in docs/adding-a-transport.md compiles and behaves like every transport. */
class AddingATransportIT implements MailTransportContract {

    private static final Path PAGE = Path.of("../docs/adding-a-transport.md");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("(?m)^(?:public |final )*(?:class|record) (\\w+)");

    @TempDir
    static Path classes;

    private static URLClassLoader loader;
    private static Class<?> configuration;

    @TempDir
    Path directory;

    private MailTransport transport;

    @BeforeAll
    static void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of("-d", classes.toString(), "-proc:none", "-Xlint:all,-processing", "-Werror");
        assertThat(compiler.getTask(null, null, null, options, null, sources()).call())
                .as("the code on the page compiles")
                .isTrue();
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, AddingATransportIT.class.getClassLoader());
        configuration = ClassUtils.resolveClassName(blocks("imports").get(0).strip(), loader);
    }

    private static List<String> blocks(String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).equals(language)) {
                blocks.add(block.group(2));
            }
        }
        return blocks;
    }

    private static List<Source> sources() throws IOException {
        return blocks("java").stream().map(Source::new).toList();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("string:///" + name(text) + ".java"), Kind.SOURCE);
            this.text = text;
        }

        private static String name(String text) {
            Matcher type = TYPE.matcher(text);
            assertThat(type.find()).as(text).isTrue();
            return type.group(1);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    @BeforeEach
    void open() {
        runner().withPropertyValues("azuremail.mail.pickup.directory=" + directory)
                .run(context -> transport = context.getBean(TransportOpener.class)
                        .open(context.getBean(MailProperties.class).all().get(0), Optional.empty()));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withClassLoader(loader)
                .withUserConfiguration(configuration, TransportsTest.Surroundings.class, Transports.class)
                .withUserConfiguration(Features.of("mail", "sending", "route"))
                .withPropertyValues("azuremail.mail.transport=pickup");
    }

    @Override
    public MailTransport transport() {
        return transport;
    }

    @Override
    public List<ReceivedMail> received() throws IOException {
        List<ReceivedMail> received = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                received.add(ReceivedMail.of(Files.readAllBytes(file)));
            }
        }
        return received;
    }

    @Test
    void itsSettingsAreChecked() {
        runner().run(context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("must name the pickup directory"));
    }

    @Test
    void theVersionOfSpringBootIsOurs() throws IOException {
        assertThat(blocks("xml").get(0)).contains(version(Files.readString(Path.of("../pom.xml"))));
    }

    private static String version(String pom) {
        Matcher version = Pattern.compile("spring-boot-starter-parent</artifactId>\\s*<version>.*?</version>")
                .matcher(pom);
        assertThat(version.find()).isTrue();
        return version.group();
    }
}
