package org.azuremail.mailclass;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.id.AsciiWord;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.Assert;

/**
 * The mail classes of an installation. All its processes need the same settings.
 *
 * @param order the names of the classes, the most urgent one first
 * @param defaultClass the class of a message with an unknown label, and of a list without a plan
 * @param feePaying the class of messages to a list whose owner pays
 * @param free the class of messages to the other lists
 * @param pool whether each class has its own places, or all share them in strict order
 * @param ageing the longest time that a class waits while more urgent ones have work without end
 * @param of the settings of single classes, by name; missing ones have the defaults of High, Normal and Low
 */
@ConfigurationProperties("azuremail.mail-classes")
record MailClassProperties(
        @DefaultValue({"High", "Normal", "Low"}) List<String> order,
        @Name("default") @DefaultValue("Normal") String defaultClass,
        @DefaultValue("Normal") String feePaying,
        @DefaultValue("Low") String free,
        @DefaultValue("per-class") Pool pool,
        @DefaultValue("5m") Duration ageing,
        @DefaultValue Map<String, Settings> of) {

    private static final String PREFIX = "azuremail.mail-classes";
    private static final int MAX_CLASSES = 8;
    private static final int MAX_PLACES = 256;
    private static final Map<String, Duration> TARGETS = Map.of(
            "high", Duration.ofSeconds(10),
            "normal", Duration.ofMinutes(10),
            "low", Duration.ofHours(24));
    private static final Map<String, Integer> SHARES = Map.of("low", 80);

    enum Pool {
        PER_CLASS,
        STRICT
    }

    /**
     * The settings of one class.
     *
     * @param places the number of ranges of the class that a process handles at the same time; by default as many as
     *     the transports can use
     * @param mostPlaces the number while many wait; by default the same
     * @param target the time after its queueing within which work on an item should begin
     * @param share the part of the limits that the class may use, in percent
     * @param hours when the class is sent, such as {@code 22:00-06:00}; always if it is not set
     * @param zone the time zone of the hours
     */
    record Settings(
            @Nullable Integer places,
            @Nullable Integer mostPlaces,
            @Nullable Duration target,
            @Nullable Integer share,
            @Nullable String hours,
            @DefaultValue("UTC") ZoneId zone) {

        private static final Settings NONE = new Settings(null, null, null, null, null, ZoneId.of("UTC"));
    }

    /** @throws IllegalArgumentException with a message for the operator, which names the setting */
    MailClassProperties {
        order = order.stream().map(String::strip).toList();
        of = Map.copyOf(of);
        require(!order.isEmpty() && order.size() <= MAX_CLASSES, ".order names 1 to " + MAX_CLASSES + " classes");
        order.forEach(MailClassProperties::requireName);
        Set<String> known = order.stream().map(MailClassProperties::key).collect(Collectors.toSet());
        require(known.size() == order.size(), ".order names a class twice: " + order);
        requireKnown(known, ".default", defaultClass);
        requireKnown(known, ".fee-paying", feePaying);
        requireKnown(known, ".free", free);
        of.keySet().forEach(name -> requireKnown(known, ".of." + name, name));
        require(ageing.compareTo(Duration.ofSeconds(1)) >= 0, ".ageing must be at least 1s");
    }

    /** Returns all classes, the most urgent one first. */
    List<MailClass> classes() {
        return IntStream.range(0, order.size())
                .mapToObj(rank -> mailClass(order.get(rank), rank))
                .toList();
    }

    private MailClass mailClass(String name, int rank) {
        String key = key(name);
        String setting = ".of." + name;
        Settings set = settings(name);
        int places = number(set.places(), 0, MAX_PLACES, setting + ".places").orElse(0);
        int most = number(set.mostPlaces(), 1, MAX_PLACES, setting + ".most-places")
                .orElse(places);
        require(most >= places, setting + ".most-places is less than .places");
        require(places > 0 || most == 0, setting + ".most-places needs .places");
        Duration target = Objects.requireNonNullElse(set.target(), TARGETS.getOrDefault(key, Duration.ofHours(1)));
        require(!target.isNegative() && !target.isZero(), setting + ".target must be more than 0s");
        int share = number(set.share(), 1, 100, setting + ".share").orElse(SHARES.getOrDefault(key, 100));
        String suffix = key.equals(key(defaultClass)) ? "" : "-" + key;
        return new MailClass(name, rank, suffix, places, most, target, share, hours(setting, set));
    }

    private Settings settings(String name) {
        return of.entrySet().stream()
                .filter(entry -> key(entry.getKey()).equals(key(name)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Settings.NONE);
    }

    private static ClassHours hours(String setting, Settings set) {
        try {
            return set.hours() == null ? ClassHours.ALWAYS : ClassHours.parse(set.hours(), set.zone());
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(PREFIX + setting + ".hours: " + unreadable.getMessage());
        }
    }

    private static Optional<Integer> number(@Nullable Integer value, int least, int most, String setting) {
        require(value == null || (value >= least && value <= most), setting + " must be " + least + " to " + most);
        return Optional.ofNullable(value);
    }

    /** Checks a name. It becomes the suffix of queue names, in which {@code -p1} denotes a partition of a queue. */
    private static void requireName(String name) {
        require(
                name.matches("[A-Za-z](-?[A-Za-z0-9]){0,19}") && !name.matches("(.*-)?[pP][0-9]+"),
                ".order: a class has a name of up to 20 letters, digits and single dashes, and does not end like p1: "
                        + name);
    }

    private static void requireKnown(Set<String> known, String setting, String name) {
        require(known.contains(key(name)), setting + ": .order has no class " + name);
    }

    static String key(String name) {
        return AsciiWord.lower(name.strip());
    }

    private static void require(boolean valid, String problem) {
        Assert.isTrue(valid, PREFIX + problem);
    }
}
