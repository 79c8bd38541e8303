package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates for servers in tests, made by the JDK's own tool: an authority, and keys of servers that it signed. */
final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path keys;

    Certificates(Path directory) throws IOException {
        keys = directory.resolve("keys.p12");
        keytool(List.of("-alias", "authority", "-dname", "CN=Test", "-ext", "bc:c"));
    }

    /**
     * Returns a context that presents a certificate for this name, and trusts only the authority that signed it.
     *
     * @param options keytool's options for the certificate: {@code -startdate}, {@code -validity}
     */
    SSLContext of(String name, String... options) throws GeneralSecurityException, IOException {
        String alias = name + String.join("", options);
        List<String> signed = new ArrayList<>(List.of("-alias", alias, "-dname", "CN=Server", "-signer", "authority"));
        signed.addAll(List.of("-ext", "SAN=dns:" + name));
        signed.addAll(List.of(options));
        keytool(signed);
        KeyStore store = empty();
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyStore identity = empty();
        Certificate[] chain = store.getCertificateChain(alias);
        identity.setKeyEntry("server", store.getKey(alias, PASSWORD.toCharArray()), PASSWORD.toCharArray(), chain);
        KeyStore trusted = empty();
        trusted.setCertificateEntry("authority", store.getCertificate("authority"));
        KeyManagerFactory manager = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        manager.init(identity, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(manager.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private void keytool(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // The second compiler takes longer than it saves for one key.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-genkeypair", "-keyalg", "EC"));
        command.addAll(arguments);
        command.addAll(List.of("-keystore", keys.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        run(command);
    }

    private static void run(List<String> command) throws IOException {
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
