package org.azuremail.sending;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.id.IdSource;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts secrets before they are stored, by AES-256-GCM with a random nonce of 96 bits. A sealed secret names its key
 * by a fingerprint, so that an earlier key still decrypts it. It is bound to one purpose, so that it cannot be
 * decrypted in another row. The key is never in the storage, so that a backup alone does not reveal the secrets. Safe
 * for use from many threads and processes.
 *
 * @see <a href="https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf">NIST SP 800-38D</a>
 */
public final class SecretBox {

    private static final String VERSION = "v1";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int FINGERPRINT_BYTES = 6;

    private final Map<String, byte[]> keys = new LinkedHashMap<>();
    private final @Nullable Path file;
    private final IdSource ids;
    private @Nullable String current;

    /**
     * @param file the file of the key, created when it is first needed, unless the settings contain a key;
     *     {@code null} if no place for it exists
     */
    public SecretBox(SecretProperties settings, @Nullable Path file, IdSource ids) {
        this.ids = ids;
        this.file = file;
        settings.oldKeys().forEach(old -> add(SecretProperties.bytes(old, "")));
        if (settings.key() != null) {
            current = add(SecretProperties.bytes(settings.key(), ""));
        }
    }

    private String add(byte[] key) {
        String fingerprint = fingerprint(key);
        keys.put(fingerprint, key);
        return fingerprint;
    }

    private static String fingerprint(byte[] key) {
        return HexFormat.of().formatHex(DigestUtils.sha256(key), 0, FINGERPRINT_BYTES);
    }

    /** Returns whether secrets can be stored, because a key or a place for one exists. */
    public synchronized boolean ready() {
        return current != null || file != null;
    }

    /**
     * @param purpose what the secret is for; {@link #open} needs the same
     * @throws IllegalStateException when there is no key
     * @throws UncheckedIOException when the file of the key cannot be read or created
     */
    public synchronized String seal(String purpose, String secret) {
        String name = current == null ? load(true) : current;
        if (name == null) {
            throw new IllegalStateException("azuremail.secrets.key is not set");
        }
        byte[] nonce = ids.bytes(NONCE_BYTES);
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, name, nonce, purpose, secret.getBytes(UTF_8))
                .orElseThrow();
        byte[] whole = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
        System.arraycopy(sealed, 0, whole, NONCE_BYTES, sealed.length);
        return VERSION + "." + name + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    }

    /** Returns the secret; empty when no key of this process decrypts it. */
    public synchronized Optional<String> open(String purpose, String sealed) {
        String[] parts = sealed.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(VERSION)) {
            return Optional.empty();
        }
        if (!keys.containsKey(parts[1])) {
            load(false);
        }
        try {
            byte[] whole = Base64.getUrlDecoder().decode(parts[2]);
            if (!keys.containsKey(parts[1]) || whole.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
                return Optional.empty();
            }
            byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
            byte[] text = Arrays.copyOfRange(whole, NONCE_BYTES, whole.length);
            return cipher(Cipher.DECRYPT_MODE, parts[1], nonce, purpose, text).map(open -> new String(open, UTF_8));
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private Optional<byte[]> cipher(int mode, String key, byte[] nonce, String purpose, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(keys.get(key), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(purpose.getBytes(UTF_8));
            return Optional.of(cipher.doFinal(text));
        } catch (GeneralSecurityException wrongKeyOrDamaged) {
            return Optional.empty();
        }
    }

    /** Reads the key's file, which another process may have created meanwhile. */
    private @Nullable String load(boolean create) {
        if (file == null || !(create || Files.exists(file))) {
            return null;
        }
        try {
            if (!Files.exists(file)) {
                create(file);
            }
            String name = add(SecretProperties.bytes(Files.readString(file).strip(), file.toString()));
            current = current == null ? name : current;
            return name;
        } catch (IOException failure) {
            throw new UncheckedIOException("the key in " + file + " cannot be read or created", failure);
        }
    }

    /** Creates the file atomically. If two processes create it, both use the key of the first. */
    private void create(Path key) throws IOException {
        Path directory = key.toAbsolutePath().getParent();
        if (directory != null) {
            OwnerOnlyFiles.createDirectory(directory);
        }
        Path part = key.resolveSibling(key.getFileName() + "." + ids.token());
        OwnerOnlyFiles.createFile(part);
        try {
            Files.writeString(part, Base64.getEncoder().encodeToString(ids.bytes(KEY_BYTES)) + "\n");
            try {
                Files.createLink(key, part);
            } catch (UnsupportedOperationException noLinks) {
                // This is not an atomic move, which would replace the key of a process that was faster.
                Files.move(part, key);
            }
        } catch (FileAlreadyExistsException another) {
            // Another process was faster: its key is used.
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
