package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.Condition;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Page;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.WriteResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("I6: blob calls whose answer is lost are done, repeated, and lose nothing")
class BlobLostAnswersIT {

    private static final int LARGE = 2 * BlobBlocks.BYTES + 17;

    private final LostAnswers answers = new LostAnswers();
    private final BlobStore store = new AzureBlobStore(TestClients.of(answers).blobs());
    private final String container = FreshNames.next();

    @BeforeEach
    void createContainer() {
        store.createContainer(container);
    }

    private WriteResult put(String text, Condition condition) {
        return store.put(container, "a", text.getBytes(StandardCharsets.UTF_8), condition);
    }

    private WriteResult putLarge(int seed, Condition condition) {
        try {
            return store.put(container, "a", new PatternStream(seed, LARGE), condition);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String etag() {
        return store.open(container, "a").orElseThrow().info().etag();
    }

    private String text() {
        return new String(store.read(container, "a").orElseThrow(), StandardCharsets.UTF_8);
    }

    @Test
    void containerIsCreated() {
        String another = FreshNames.next();
        answers.loseThe(1);

        store.createContainer(another);

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(store.list(another, "", 1, null).items()).isEmpty();
    }

    @Test
    void lostPutIsWrittenAgain() {
        answers.loseThe(1);

        WriteResult result = put("x", BlobStore.ALWAYS);

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(result).isEqualTo(new WriteResult.Written(List.of(etag())));
        assertThat(text()).isEqualTo("x");
    }

    @Test
    void lostPutThatRequiredAbsenceShowsExists() {
        answers.loseThe(1);

        assertThat(put("x", BlobStore.ABSENT)).isEqualTo(new WriteResult.Exists());

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(text()).isEqualTo("x");
    }

    @Test
    void lostPutUnderAnEtagShowsStale() {
        put("x", BlobStore.ALWAYS);
        Condition existing = new Condition.AtEtag(etag());
        answers.loseThe(1);

        assertThat(put("y", existing)).isEqualTo(new WriteResult.Stale());

        assertThat(answers.lost()).isEqualTo(1);
        assertThat(text()).isEqualTo("y");
    }

    @Test
    void largePutSurvivesTheLossOfEachAnswer() throws Exception {
        int requests = 4;
        for (int lost = 1; lost <= requests; lost++) {
            answers.loseThe(lost);

            WriteResult result = putLarge(lost, BlobStore.ALWAYS);

            assertThat(answers.tries()).isEqualTo(requests + 1);
            assertThat(result).isEqualTo(new WriteResult.Written(List.of(etag())));
            try (InputStream content = store.open(container, "a").orElseThrow().content()) {
                new PatternStream(lost, LARGE).assertIs(content);
            }
        }
    }

    @Test
    void lostLargePutUnderAConditionIsRefusedWhenRepeated() throws Exception {
        answers.loseThe(4);
        assertThat(putLarge(1, BlobStore.ABSENT)).isEqualTo(new WriteResult.Exists());
        Condition existing = new Condition.AtEtag(etag());
        answers.loseThe(4);
        assertThat(putLarge(2, existing)).isEqualTo(new WriteResult.Stale());

        try (InputStream content = store.open(container, "a").orElseThrow().content()) {
            new PatternStream(2, LARGE).assertIs(content);
        }
    }

    @Test
    void lostDeletionShowsMissing() {
        put("x", BlobStore.ALWAYS);
        deletedWithoutAnAnswer(BlobStore.ALWAYS);
        put("x", BlobStore.ALWAYS);
        deletedWithoutAnAnswer(new Condition.AtEtag(etag()));
    }

    private void deletedWithoutAnAnswer(Condition condition) {
        answers.loseThe(1);
        assertThat(store.delete(container, "a", condition)).isEqualTo(new WriteResult.Missing());
        assertThat(answers.lost()).isEqualTo(1);
        assertThat(store.open(container, "a")).isEmpty();
    }

    @Test
    void readingContinuesWhereItStopped() throws Exception {
        putLarge(1, BlobStore.ALWAYS);
        answers.loseEvery(2);

        try (InputStream content = store.open(container, "a").orElseThrow().content()) {
            new PatternStream(1, LARGE).assertIs(content);
        }

        assertThat(answers.lost()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void listingMissesNothing() {
        List<String> names = List.of("a", "b", "c", "d", "e");
        names.forEach(name -> store.put(container, name, new byte[0], BlobStore.ALWAYS));
        answers.loseEvery(2);

        List<String> listed = new ArrayList<>();
        String continuation = null;
        do {
            Page<BlobInfo> page = store.list(container, "", 2, continuation);
            page.items().stream().map(BlobInfo::name).forEach(listed::add);
            continuation = page.continuation();
        } while (continuation != null);

        assertThat(listed).isEqualTo(names);
        assertThat(answers.lost()).isPositive();
    }
}
