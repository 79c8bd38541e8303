package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates for servers of tests, made by the JDK's own tool: an authority, a server's key, and what the one signs of the
 * other.
 */
final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path keys;
    private final Path request;
    private final KeyStore store;

    Certificates(Path directory) throws GeneralSecurityException, IOException {
        keys = directory.resolve("keys.p12");
        request = directory.resolve("request");
        keytool(List.of("-genkeypair", "-alias", "authority", "-keyalg", "EC", "-dname", "CN=Test", "-ext", "bc:c"));
        keytool(List.of("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=Server"));
        keytool(List.of("-certreq", "-alias", "server", "-file", request.toString()));
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
    }

    /**
     * Makes a context that shows a certificate of this name, and trusts the authority that signed it and no other.
     *
     * @param options of the signature, for keytool: {@code -startdate}, {@code -validity}
     */
    SSLContext of(String name, String... options) throws GeneralSecurityException, IOException {
        Certificate[] chain = {signed(name, options), store.getCertificate("authority")};
        KeyStore identity = empty();
        identity.setKeyEntry("server", store.getKey("server", PASSWORD.toCharArray()), PASSWORD.toCharArray(), chain);
        KeyStore trusted = empty();
        trusted.setCertificateEntry("authority", chain[1]);
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

    private Certificate signed(String name, String... options) throws GeneralSecurityException, IOException {
        Path made = Files.createTempFile(keys.getParent(), "signed", ".cer");
        List<String> sign = new ArrayList<>(List.of("-gencert", "-alias", "authority", "-ext", "SAN=dns:" + name));
        sign.addAll(List.of("-infile", request.toString(), "-outfile", made.toString()));
        sign.addAll(List.of(options));
        keytool(sign);
        try (InputStream in = Files.newInputStream(made)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private void keytool(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
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
