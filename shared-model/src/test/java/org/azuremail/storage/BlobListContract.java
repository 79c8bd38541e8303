package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.junit.jupiter.api.Test;

/** The contract of listings by prefix and page. */
interface BlobListContract extends BlobContract {

    private List<String> names(String container, String prefix, int limit) {
        List<String> names = new ArrayList<>();
        String continuation = null;
        do {
            Page<BlobInfo> page = blobs().list(container, prefix, limit, continuation);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().stream().map(BlobInfo::name).forEach(names::add);
            continuation = page.continuation();
        } while (continuation != null);
        return names;
    }

    @Test
    default void blobsAreListedInTheOrderOfTheirNames() {
        String container = newContainer();
        for (String name : List.of("b", "a/2", "C", "a", "a/1", "a0")) {
            put(container, name, "x");
        }
        assertThat(names(container, "", 100)).containsExactly("C", "a", "a/1", "a/2", "a0", "b");
        assertThat(names(container, "a/", 100)).containsExactly("a/1", "a/2");
        assertThat(names(container, "nothing", 100)).isEmpty();
    }

    @Test
    default void listingPagesCoverEveryBlobOnce() {
        String container = newContainer();
        List<String> all = new ArrayList<>();
        for (int i = 10; i < 45; i++) {
            put(container, "n" + i, "x");
            all.add("n" + i);
        }
        assertThat(names(container, "n", 4)).isEqualTo(all);
        assertThat(names(container, "", 1)).isEqualTo(all);
    }

    @Test
    default void listingContinuesWhileBlobsAreDeleted() {
        String container = newContainer();
        for (int i = 10; i < 30; i++) {
            put(container, "n" + i, "x");
        }
        List<String> seen = new ArrayList<>();
        String continuation = null;
        do {
            Page<BlobInfo> page = blobs().list(container, "", 3, continuation);
            page.items().forEach(blob -> {
                seen.add(blob.name());
                blobs().delete(container, blob.name(), BlobStore.ALWAYS);
            });
            continuation = page.continuation();
        } while (continuation != null);
        assertThat(seen).hasSize(20).doesNotHaveDuplicates();
        assertThat(names(container, "", 100)).isEmpty();
    }

    @Test
    default void listingOfZeroOrMoreThanAThousandIsRefused() {
        String container = newContainer();
        for (int limit : new int[] {-1, 0, 1001}) {
            assertThatIllegalArgumentException().isThrownBy(() -> blobs().list(container, "", limit, null));
        }
    }
}
