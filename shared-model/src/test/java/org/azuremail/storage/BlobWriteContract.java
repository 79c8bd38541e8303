package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.Condition;
import org.junit.jupiter.api.Test;

/** The contract of conditions, ETags and names. */
interface BlobWriteContract extends BlobContract {

    @Test
    default void storedBlobIsReadBack() throws Exception {
        String container = newContainer();
        String etag = put(container, "a.htm", "hello");
        try (var content = blobs().open(container, "a.htm").orElseThrow().content()) {
            assertThat(content).hasContent("hello");
        }
        BlobInfo info = blobs().open(container, "a.htm").orElseThrow().info();
        assertThat(info.name()).isEqualTo("a.htm");
        assertThat(info.etag()).isEqualTo(etag);
        assertThat(info.size()).isEqualTo(5);
    }

    @Test
    default void blobThatWasNeverStoredIsEmpty() {
        String container = newContainer();
        assertThat(blobs().open(container, "a")).isEmpty();
        assertThat(blobs().read(container, "a")).isEmpty();
        assertThat(blobs().delete(container, "a", BlobStore.ALWAYS)).isEqualTo(new WriteResult.Missing());
    }

    @Test
    default void containerThatDoesNotExistIsAnError() {
        String absent = FreshNames.next();
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> blobs().put(absent, "a", bytes("x"), BlobStore.ALWAYS));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> blobs().list(absent, "", 10, null));
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> blobs().open(absent, "a"));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> blobs().delete(absent, "a", BlobStore.ALWAYS));
    }

    @Test
    default void creatingAContainerAgainKeepsItsBlobs() {
        String container = newContainer();
        put(container, "a", "x");
        blobs().createContainer(container);
        assertThat(text(container, "a")).isEqualTo("x");
    }

    @Test
    default void blobThatMustBeAbsentIsNotOverwritten() {
        String container = newContainer();
        assertThat(blobs().put(container, "a", bytes("one"), BlobStore.ABSENT).written())
                .isTrue();
        assertThat(blobs().put(container, "a", bytes("two"), BlobStore.ABSENT)).isEqualTo(new WriteResult.Exists());
        assertThat(text(container, "a")).isEqualTo("one");
    }

    @Test
    default void overwritingUnderAnEtagNeedsTheCurrentOne() {
        String container = newContainer();
        String first = put(container, "a", "one");
        Condition atFirst = new Condition.AtEtag(first);
        assertThat(blobs().put(container, "a", bytes("two"), atFirst).written()).isTrue();
        assertThat(blobs().put(container, "a", bytes("three"), atFirst)).isEqualTo(new WriteResult.Stale());
        assertThat(text(container, "a")).isEqualTo("two");
    }

    @Test
    default void overwritingUnderAnEtagNeedsABlob() {
        String container = newContainer();
        String etag = put(container, "a", "one");
        assertThat(blobs().put(container, "b", bytes("x"), new Condition.AtEtag(etag)))
                .isEqualTo(new WriteResult.Missing());
        assertThat(blobs().open(container, "b")).isEmpty();
    }

    @Test
    default void deletingUnderAnEtagNeedsTheCurrentOne() {
        String container = newContainer();
        String first = put(container, "a", "one");
        String second = put(container, "a", "two");
        assertThat(blobs().delete(container, "a", new Condition.AtEtag(first))).isEqualTo(new WriteResult.Stale());
        assertThat(blobs().delete(container, "a", new Condition.AtEtag(second)).written())
                .isTrue();
        assertThat(blobs().delete(container, "a", new Condition.AtEtag(second))).isEqualTo(new WriteResult.Missing());
    }

    @Test
    default void etagIsNeverUsedAgainAfterDeleteAndPut() {
        String container = newContainer();
        String first = put(container, "a", "same");
        assertThat(blobs().delete(container, "a", BlobStore.ALWAYS).written()).isTrue();
        put(container, "a", "same");
        assertThat(blobs().put(container, "a", bytes("new"), new Condition.AtEtag(first)))
                .isEqualTo(new WriteResult.Stale());
    }

    @Test
    default void oneOfManyFirstPutsWins() throws Exception {
        String container = newContainer();
        List<WriteResult> results =
                Together.run(8, thread -> () -> blobs().put(container, "a", bytes("by " + thread), BlobStore.ABSENT));
        assertThat(results).filteredOn(WriteResult::written).hasSize(1);
        assertThat(text(container, "a"))
                .isEqualTo("by "
                        + results.indexOf(results.stream()
                                .filter(WriteResult::written)
                                .findFirst()
                                .orElseThrow()));
    }

    @Test
    default void sameNameInAnotherContainerIsAnotherBlob() {
        String one = newContainer();
        String other = newContainer();
        put(one, "a", "one");
        put(other, "a", "other");
        blobs().delete(one, "a", BlobStore.ALWAYS);
        assertThat(text(other, "a")).isEqualTo("other");
    }

    @Test
    default void namesMayHoldCharactersThatUrlsEscape() {
        String container = newContainer();
        List<String> names = List.of("12.1.htm", "a/b/c.txt", "a+b", "a%20b", "a'b", "a&b=c", "~{x}", "#1?x");
        names.forEach(name -> put(container, name, "content of " + name));
        for (String name : names) {
            assertThat(text(container, name)).isEqualTo("content of " + name);
            assertThat(blobs().open(container, name).orElseThrow().info().name())
                    .isEqualTo(name);
        }
    }

    @Test
    default void forbiddenNamesAreRefused() {
        String container = newContainer();
        for (String name : List.of("", "a b", "a\\b", "ü", "x".repeat(513), "a\nb")) {
            assertThatIllegalArgumentException().isThrownBy(() -> put(container, name, "x"));
            assertThatIllegalArgumentException().isThrownBy(() -> blobs().open(container, name));
        }
        for (String bad : List.of("", "ab", "Upper", "a--b", "x".repeat(64))) {
            assertThatIllegalArgumentException().isThrownBy(() -> blobs().createContainer(bad));
            assertThatIllegalArgumentException().isThrownBy(() -> put(bad, "a", "x"));
        }
    }
}
