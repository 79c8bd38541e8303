package org.azuremail.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that secrets are stored under a key that is not in the storage. */
class SecretBoxTest {

    private static final String OLD = key(1);
    private static final String NEW = key(2);

    @TempDir
    Path directory;

    private static String key(int first) {
        byte[] key = new byte[32];
        key[0] = (byte) first;
        return Base64.getEncoder().encodeToString(key);
    }

    private static SecretBox box(@Nullable String key, List<String> old) {
        return new SecretBox(new SecretProperties(key, old), null, IdSource.secure());
    }

    private SecretBox withFile() {
        return new SecretBox(
                new SecretProperties(null, List.of()), directory.resolve("data/secrets.key"), IdSource.secure());
    }

    @Test
    void aSealedSecretIsReadByTheSameKeyAndSaysNothingOfItself() {
        String sealed = box(NEW, List.of()).seal("transport.relay.password", "päss wörd");

        assertThat(sealed).doesNotContain("päss", Base64.getEncoder().encodeToString("päss wörd".getBytes()), NEW);
        assertThat(box(NEW, List.of()).open("transport.relay.password", sealed)).hasValue("päss wörd");
        assertThat(box(NEW, List.of()).seal("transport.relay.password", "päss wörd"))
                .as("nobody can tell that two secrets are the same")
                .isNotEqualTo(sealed);
    }

    @Test
    void aWrongKeyAnotherPurposeAndADamagedSecretOpenNothing() {
        String sealed = box(NEW, List.of()).seal("transport.relay.password", "secret");

        assertThat(box(OLD, List.of()).open("transport.relay.password", sealed)).isEmpty();
        assertThat(box(NEW, List.of()).open("transport.other.password", sealed)).isEmpty();
        for (int cut = 0; cut < sealed.length(); cut++) {
            assertThat(box(NEW, List.of()).open("transport.relay.password", sealed.substring(0, cut)))
                    .isEmpty();
        }
        char last = sealed.charAt(sealed.length() - 2);
        String changed = sealed.substring(0, sealed.length() - 2)
                + (last == 'A' ? 'B' : 'A')
                + sealed.substring(sealed.length() - 1);
        assertThat(box(NEW, List.of()).open("transport.relay.password", changed))
                .isEmpty();
        assertThat(box(NEW, List.of()).open("p", "v1.." + "!!!")).isEmpty();
    }

    @Test
    void anOlderKeyStillOpensAndIsUsedForNothingNew() {
        String sealed = box(OLD, List.of()).seal("p", "secret");
        SecretBox rotated = box(NEW, List.of(OLD));

        assertThat(rotated.open("p", sealed)).hasValue("secret");
        assertThat(box(OLD, List.of()).open("p", rotated.seal("p", "secret"))).isEmpty();
    }

    @Test
    void theFileOfTheKeyIsCreatedOnceAndForItsOwnerAlone() throws IOException {
        SecretBox first = withFile();
        assertThat(directory).as("not before it is needed").isEmptyDirectory();
        String sealed = first.seal("p", "secret");

        Path file = directory.resolve("data/secrets.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
        assertThat(withFile().open("p", sealed)).hasValue("secret");
        SecretBox another = withFile();
        assertThat(first.open("p", another.seal("p", "other"))).hasValue("other");
    }

    @Test
    void twoProcessesThatNeedAKeyAtOnceUseTheSame() {
        List<String> sealed = Stream.generate(this::withFile)
                .limit(16)
                .parallel()
                .map(box -> box.seal("p", "secret"))
                .toList();

        assertThat(sealed)
                .allSatisfy(one -> assertThat(withFile().open("p", one)).hasValue("secret"));
    }

    @Test
    void nothingIsSealedWithoutAKeyOrAPlaceForOne() {
        SecretBox none = box(null, List.of());

        assertThat(none.ready()).isFalse();
        assertThatThrownBy(() -> none.seal("p", "secret")).hasMessageContaining("azuremail.secrets.key");
        assertThat(new SecretBox(new SecretProperties("", List.of(OLD)), null, new SeededIds(1)).ready())
                .isFalse();
    }

    @Test
    void aKeyOfAnotherLengthIsRefusedAndNotRepeated() {
        String tooShort = Base64.getEncoder().encodeToString("sixteen bytes ok".getBytes());
        for (String wrong : List.of(tooShort, "no base64!")) {
            assertThatThrownBy(() -> new SecretProperties(wrong, List.of()))
                    .hasMessageContaining("azuremail.secrets.key must be 32 random bytes")
                    .message()
                    .doesNotContain(wrong);
        }
        assertThat(new SecretProperties(NEW, List.of(OLD)).toString()).doesNotContain(NEW, OLD);
    }
}
