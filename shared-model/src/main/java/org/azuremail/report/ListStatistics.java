package org.azuremail.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.work.queue.TextCodec;

/**
 * Statistics of the people of a list or of a segment.
 *
 * @param subscribed the number of people who get messages
 * @param states people by state
 * @param sources people by the origin of their oldest known declaration
 * @param domains people by the domain of their address; if there are very many, only the largest domains
 * @param otherDomains people at all other domains
 * @param joined people by the month, {@code yyyy-MM}, in which they were added
 * @param left people who unsubscribed, by the month in which they did
 * @param examples addresses of some people who match the rules; empty for a whole list
 */
public record ListStatistics(
        long people,
        long subscribed,
        SortedMap<String, Long> states,
        SortedMap<String, Long> sources,
        SortedMap<String, Long> domains,
        long otherDomains,
        SortedMap<String, Long> joined,
        SortedMap<String, Long> left,
        List<String> examples) {

    public static final TextCodec<ListStatistics> FORM = TextCodec.json(ListStatistics.class);

    public static final ListStatistics NONE = new ListStatistics(
            0, 0, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), 0, new TreeMap<>(), new TreeMap<>(), List.of());

    static final int MAX_EXAMPLES = 10;

    /** The most domains to keep while counting. */
    static final int MAX_DOMAINS = 5_000;

    /** Results of older versions have no examples. */
    public ListStatistics {
        examples = Objects.requireNonNullElse(examples, List.of());
    }

    /** The numbers of people who joined and who left in a month, {@code yyyy-MM}. */
    public record Month(String month, long joined, long left) {}

    public record DomainCount(String name, long people) {}

    ListStatistics plus(ListStatistics other) {
        SortedMap<String, Long> all = sum(domains, other.domains);
        SortedMap<String, Long> kept = all.size() <= MAX_DOMAINS ? all : most(all, MAX_DOMAINS);
        return new ListStatistics(
                people + other.people,
                subscribed + other.subscribed,
                sum(states, other.states),
                sum(sources, other.sources),
                kept,
                otherDomains + other.otherDomains + total(all) - total(kept),
                sum(joined, other.joined),
                sum(left, other.left),
                Stream.concat(examples.stream(), other.examples.stream())
                        .limit(MAX_EXAMPLES)
                        .toList());
    }

    /** Returns the domains with the most people, the largest first. */
    public List<DomainCount> topDomains(int max) {
        return ranked(domains).limit(max).toList();
    }

    /** Returns the number of people at domains that are not among {@link #topDomains}. */
    public long beyondTopDomains(int max) {
        return otherDomains
                + total(domains)
                - topDomains(max).stream().mapToLong(DomainCount::people).sum();
    }

    /** Returns the months in which people joined or left, newest first. */
    public List<Month> months() {
        SortedSet<String> months = new TreeSet<>(Comparator.reverseOrder());
        months.addAll(joined.keySet());
        months.addAll(left.keySet());
        return months.stream()
                .map(month -> new Month(month, joined.getOrDefault(month, 0L), left.getOrDefault(month, 0L)))
                .toList();
    }

    private static Stream<DomainCount> ranked(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(one -> new DomainCount(one.getKey(), one.getValue()))
                .sorted(Comparator.comparingLong(DomainCount::people).reversed().thenComparing(DomainCount::name));
    }

    private static SortedMap<String, Long> most(Map<String, Long> counts, int max) {
        return ranked(counts)
                .limit(max)
                .collect(Collectors.toMap(DomainCount::name, DomainCount::people, Long::sum, TreeMap::new));
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static SortedMap<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        SortedMap<String, Long> both = new TreeMap<>(one);
        other.forEach((name, count) -> both.merge(name, count, Long::sum));
        return both;
    }
}
