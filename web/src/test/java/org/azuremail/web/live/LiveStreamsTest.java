package org.azuremail.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Tests the streams to open pages with a manual clock and a manual scheduler. */
class LiveStreamsTest {

    private final ManualTime time = new ManualTime();
    private final Map<String, LiveSource.State> things = new HashMap<>();
    private final Queue<Later> scheduled = new ArrayDeque<>();
    private int looks;
    private boolean broken;
    private boolean signedIn = true;

    private final LiveSource source = new LiveSource() {
        @Override
        public String topic() {
            return "thing";
        }

        @Override
        public Optional<LiveSource.State> findState(String id) {
            looks++;
            if (broken) {
                throw new IllegalStateException("the storage is away");
            }
            return Optional.ofNullable(things.get(id));
        }
    };

    private final LiveStreams streams = streams(3);

    private record Later(Runnable work, Duration at) {}

    @Test
    void aPageGetsTheStateAtOnceAndThenOnlyChanges() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofSeconds(20));
        assertThat(page.heard).containsExactly("thing.1 a");

        things.put("1", new LiveSource.State("b", false));
        pass(Duration.ofSeconds(20));

        assertThat(page.heard).containsExactly("thing.1 a", "thing.1 b");
    }

    @Test
    void aThingIsLookedAtOnceHoweverManyPagesWatchIt() {
        things.put("1", new LiveSource.State("a", false));
        listen("thing.1");
        listen("thing.1", "thing.1");
        pass(Duration.ofSeconds(1));
        Listener third = listen("thing.1");

        assertThat(looks).isEqualTo(1);
        assertThat(streams.watched()).isEqualTo(1);
        assertThat(third.heard).containsExactly("thing.1 a");
    }

    @Test
    void nobodyLooksWhenNobodyWatches() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofSeconds(1));

        page.leave();
        pass(Duration.ofHours(1));

        assertThat(looks).isEqualTo(1);
        assertThat(streams.watched()).isZero();
        assertThat(streams.open()).isZero();
        assertThat(scheduled).isEmpty();
    }

    @Test
    void aPageThatIsOpenForADayCostsLittleMoreThanALookAMinute() {
        things.put("1", new LiveSource.State("a", false));
        for (int hour = 0; hour < 24; hour++) {
            Listener page = listen("thing.1");
            pass(Duration.ofMinutes(60));
            assertThat(page.ended).isTrue();
        }
        assertThat(looks).isLessThan(24 * 60 * 3 / 2);
    }

    @Test
    void aStreamEndsSoonAfterItsSession() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofMinutes(1));
        assertThat(page.ended).isFalse();

        signedIn = false;
        pass(Duration.ofMinutes(1));

        assertThat(page.ended).isTrue();
        things.put("1", new LiveSource.State("b", false));
        pass(Duration.ofMinutes(2));
        assertThat(page.heard).containsExactly("thing.1 a");
    }

    @Test
    void aThingThatChangesAgainIsLookedAtOftenAgain() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofMinutes(8));
        things.put("1", new LiveSource.State("b", false));
        pass(Duration.ofSeconds(61));
        int before = looks;

        pass(Duration.ofSeconds(4));

        assertThat(page.heard).endsWith("thing.1 b");
        assertThat(looks - before).isBetween(1, 3);
    }

    @Test
    void theLastStateOfAThingIsSentAndItIsNeverLookedAtAgain() {
        things.put("1", new LiveSource.State("z", true));
        Listener page = listen("thing.1");
        pass(Duration.ofMinutes(10));

        assertThat(page.heard).containsExactly("thing.1 z over");
        assertThat(looks).isEqualTo(1);
    }

    @Test
    void aThingThatIsGoneIsOver() {
        Listener page = listen("thing.nobody");
        pass(Duration.ofSeconds(1));
        assertThat(page.heard).containsExactly("thing.nobody gone over");
    }

    @Test
    void aStorageThatIsAwayChangesNothing() {
        broken = true;
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofSeconds(10));
        assertThat(page.heard).isEmpty();

        broken = false;
        pass(Duration.ofSeconds(10));

        assertThat(page.heard).containsExactly("thing.1 a");
    }

    @Test
    void thereAreOnlySoManyStreamsAndOneThatEndsMakesRoom() {
        List<Listener> pages =
                IntStream.range(0, 3).mapToObj(i -> listen("thing.1")).collect(Collectors.toList());
        assertThat(streams.open(List.of("thing.1"), new Listener(), () -> true)).isFalse();

        pages.get(0).leave();

        assertThat(streams.open(List.of("thing.1"), new Listener(), () -> true)).isTrue();
    }

    @Test
    void aPageThatIsGoneIsFoundOutByTheNextBeat() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofSeconds(1));
        page.gone = true;

        pass(Duration.ofSeconds(30));

        assertThat(streams.open()).isZero();
        assertThat(streams.watched()).isZero();
    }

    @Test
    void aStreamEndsWhenItsLifeIsOver() {
        things.put("1", new LiveSource.State("a", false));
        Listener page = listen("thing.1");
        pass(Duration.ofMinutes(61));
        assertThat(page.ended).isTrue();
        assertThat(streams.open()).isZero();
    }

    @Test
    void aStopEndsAllStreamsAndTakesNoOther() {
        Listener page = listen("thing.1");

        streams.stop();

        assertThat(page.ended).isTrue();
        assertThat(streams.isRunning()).isFalse();
        assertThat(streams.open(List.of("thing.1"), new Listener(), () -> true)).isFalse();
    }

    @Test
    void namesOfNothingAreNotWatched() {
        for (String name : List.of("", ".", "thing", "thingy.1", ".thing.1", "thing." + "9".repeat(200))) {
            assertThat(streams.open(List.of(name), new Listener(), () -> true))
                    .as(name)
                    .isFalse();
        }
        assertThat(streams.watched()).isZero();
    }

    private LiveStreams streams(int max) {
        LiveProperties limits = new LiveProperties(
                max, Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofHours(1), Duration.ofSeconds(25));
        LiveStreams made = new LiveStreams(
                List.of(source),
                limits,
                time,
                (work, wait) -> scheduled.add(new Later(work, time.elapsed().plus(wait))));
        made.start();
        return made;
    }

    private Listener listen(String... names) {
        Listener page = new Listener();
        assertThat(streams.open(List.of(names), page, () -> signedIn)).isTrue();
        return page;
    }

    private void pass(Duration duration) {
        Duration end = time.elapsed().plus(duration);
        while (true) {
            Optional<Later> next = scheduled.stream()
                    .filter(later -> later.at.compareTo(end) <= 0)
                    .min((a, b) -> a.at.compareTo(b.at));
            if (next.isEmpty()) {
                break;
            }
            scheduled.remove(next.get());
            if (next.get().at.compareTo(time.elapsed()) > 0) {
                time.advance(next.get().at.minus(time.elapsed()));
            }
            next.get().work.run();
        }
        time.advance(end.minus(time.elapsed()));
    }

    /** The page's end of a stream. */
    private static final class Listener extends SseEmitter {

        private final List<String> heard = new ArrayList<>();
        private Runnable closed = () -> {};
        private boolean ended;
        private boolean gone;

        @Override
        public void send(SseEventBuilder event) throws IOException {
            if (gone) {
                throw new IOException("broken pipe");
            }
            String text = event.build().stream()
                    .map(DataWithMediaType::getData)
                    .map(Object::toString)
                    .collect(Collectors.joining());
            text.lines()
                    .filter(line -> line.startsWith("data:"))
                    .map(line -> line.substring("data:".length()))
                    .forEach(heard::add);
        }

        @Override
        public void onCompletion(Runnable callback) {
            closed = callback;
        }

        @Override
        public void complete() {
            ended = true;
            closed.run();
        }

        void leave() {
            closed.run();
        }
    }
}
