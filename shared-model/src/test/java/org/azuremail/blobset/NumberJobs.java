package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.TextCodec;

/** The jobs over numbers that the tests run, and the items in which they report. */
final class NumberJobs {

    static final TextCodec<Long> FORM = TextCodec.json(Long.class);

    /** The result of mapping a number. */
    record Squared(String element, long square) {}

    /** The completion item of a mapping. */
    record AllMapped(String job) {}

    /** The result of reducing. */
    record Sum(long sum) {}

    static final ItemType<Squared> SQUARED =
            ItemType.json("squares", Squared.class).together(10);
    static final ItemType<AllMapped> ALL_MAPPED = ItemType.json("mapped", AllMapped.class);
    static final ItemType<Sum> SUM = ItemType.json("sums", Sum.class);

    private NumberJobs() {}

    /** @param pieceSize the number of values in a piece */
    static List<SetJob<?, ?>> all(int pieceSize) {
        return List.of(
                new Squares(pieceSize), new Adding(pieceSize), new Joining(pieceSize), new Counting(), new Failing());
    }

    private record Squares(int pieceSize) implements SetMapper<Long> {

        @Override
        public String name() {
            return "squares";
        }

        @Override
        public TextCodec<Long> values() {
            return FORM;
        }

        @Override
        public Object map(String element, Long value) {
            return new Squared(element, value * value);
        }
    }

    private record Adding(int pieceSize) implements SetReducer<Long> {

        @Override
        public String name() {
            return "adding";
        }

        @Override
        public TextCodec<Long> values() {
            return FORM;
        }

        @Override
        public Long reduce(Long one, Long other) {
            return one + other;
        }

        @Override
        public Object result(Long value) {
            return new Sum(value);
        }
    }

    /** Joins all numbers, so its results grow. */
    record Joining(int pieceSize) implements SetJob<Long, String> {

        static final TextCodec<String> TEXT = TextCodec.json(String.class);

        @Override
        public String name() {
            return "joining";
        }

        @Override
        public TextCodec<Long> values() {
            return FORM;
        }

        @Override
        public TextCodec<String> results() {
            return TEXT;
        }

        @Override
        public Step<String> work(SetJob.Piece piece, List<BlobSet.Element<Long>> some, String soFar) {
            return Step.last(some.stream().map(one -> one.value() + " ").collect(Collectors.joining()), some.size());
        }

        @Override
        public String reduce(String one, String other) {
            return one + other;
        }
    }

    /**
     * Fills its set with three numbers and counts up to each, with one step and one line of its file for each number.
     */
    record Counting() implements SetJob<Long, List<String>> {

        static final TextCodec<List<String>> LINES =
                new TextCodec<>(lines -> String.join(",", lines), text -> List.of(text.split(",")));

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public TextCodec<Long> values() {
            return FORM;
        }

        @Override
        public TextCodec<List<String>> results() {
            return LINES;
        }

        @Override
        public int pieceSize() {
            return 1;
        }

        @Override
        public void fill(BlobSet<Long> set, Map<String, String> about) {
            LongStream.rangeClosed(1, 3).forEach(number -> set.put("n" + number, number));
        }

        @Override
        public Step<List<String>> work(SetJob.Piece piece, List<BlobSet.Element<Long>> some, List<String> soFar) {
            long upTo = some.get(0).value();
            long now = piece.next() == null ? 1 : Long.parseLong(piece.next());
            List<String> lines = new ArrayList<>(soFar == null ? List.of() : soFar);
            lines.add(piece.files().apply((upTo + "/" + now).getBytes(StandardCharsets.UTF_8)));
            return new Step<>(lines, now == upTo ? null : Long.toString(now + 1), 1);
        }

        @Override
        public List<String> reduce(List<String> one, List<String> other) {
            List<String> both = new ArrayList<>(one);
            both.addAll(other);
            return both;
        }

        @Override
        public void done(End<List<String>> end) {
            end.queue().accept(new AllMapped(end.job()));
        }
    }

    /** Fails at each attempt. */
    record Failing() implements SetJob<Long, Long> {

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public TextCodec<Long> values() {
            return FORM;
        }

        @Override
        public TextCodec<Long> results() {
            return FORM;
        }

        @Override
        public void fill(BlobSet<Long> set, Map<String, String> about) throws SetJob.Failure {
            if (about.containsKey("pointless")) {
                throw new SetJob.Failure(Reason.of(ReasonCode.LIST_GONE, "news"));
            }
            set.put("one", 1L);
        }

        @Override
        public Step<Long> work(SetJob.Piece piece, List<BlobSet.Element<Long>> some, Long soFar) {
            throw new IllegalStateException("no number is good enough");
        }

        @Override
        public Long reduce(Long one, Long other) {
            return one + other;
        }
    }
}
