package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates for servers of tests, made by the JDK's own tool. */
final class Certificates {

    private static final String PASSWORD = "changeit";

    private Certificates() {}

    /** Who shows a certificate of this name, and who trusts that one alone. */
    static SSLContext of(String name, Path directory) throws GeneralSecurityException, IOException {
        KeyStore store = store(name, directory.resolve("keys.p12"));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore store(String name, Path file) throws GeneralSecurityException, IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String names = "SAN=dns:" + name;
        run(
                tool,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                names,
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD);
        run(
                tool,
                "-exportcert",
                "-alias",
                "server",
                "-file",
                file + ".cer",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        run(
                tool,
                "-importcert",
                "-noprompt",
                "-alias",
                "trusted",
                "-file",
                file + ".cer",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError("keytool failed: " + String.join(" ", command));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
