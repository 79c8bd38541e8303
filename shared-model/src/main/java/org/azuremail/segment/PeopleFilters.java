package org.azuremail.segment;

import java.text.Normalizer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Test;
import org.azuremail.storage.Page;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Subscriber;

/** Creates filters from rules. */
public record PeopleFilters(FieldStore fields, DeliveryStore deliveries) {

    /**
     * Returns the filter of a message that has begun, by the rules in its row; <em>in the last days</em> counts from
     * its due instant.
     */
    public PeopleFilter of(Message message, List<MailingList> lists) {
        String rules = message.audience().rules();
        ZoneId zone = message.schedule().zone();
        return rules == null
                ? new PeopleFilter(Group.EVERYONE, ListFields.NONE, deliveries, message.dueAt(), zone)
                : of(rules, lists.get(0), message.dueAt(), zone);
    }

    /** @param rules a text that {@link RuleJson#text} wrote */
    public PeopleFilter of(String rules, MailingList list, Instant now, ZoneId zone) {
        return of(RuleJson.stored(rules), list, now, zone);
    }

    /** @param rule a rule that {@link Segments} has resolved */
    public PeopleFilter of(Rule rule, MailingList list, Instant now, ZoneId zone) {
        return new PeopleFilter(rule, fields.of(list), deliveries, now, zone);
    }

    /**
     * Selects the subscribers who match rules. It reads the archives of earlier messages in the order of the
     * subscribers, since their shards have the same addresses.
     *
     * @param rule a rule that {@link Segments} has resolved
     * @param now the end of <em>in the last days</em>
     * @param zone the time zone in which days begin
     */
    public record PeopleFilter(Rule rule, ListFields fields, DeliveryStore deliveries, Instant now, ZoneId zone) {

        private static final int PAGE = 1000;

        /**
         * Returns the people who match, in the same order.
         *
         * @param people subscribers of one shard, in order of address
         */
        public List<Subscriber> of(List<Subscriber> people, int shard) {
            if (people.isEmpty()) {
                return people;
            }
            Map<String, Map<String, RecordedOutcome>> earlier = new HashMap<>();
            rule.messages().forEach(ref -> earlier.put(ref, outcomes(ref, people, shard)));
            return people.stream()
                    .filter(person -> matches(rule, person, earlier))
                    .toList();
        }

        private Map<String, RecordedOutcome> outcomes(String ref, List<Subscriber> people, int shard) {
            Set<String> wanted = people.stream().map(Subscriber::rowKey).collect(Collectors.toSet());
            Optional<ShardKey> key = MessageRef.parse(ref).map(known -> new ShardKey(known, shard));
            Map<String, RecordedOutcome> outcomes = new HashMap<>();
            String from = people.get(0).rowKey();
            String to = people.get(people.size() - 1).rowKey();
            String after = "";
            while (key.isPresent() && after != null) {
                Page<RecordedOutcome> page = deliveries.outcomes(key.get(), from, to, after, PAGE);
                page.items().stream()
                        .filter(one -> wanted.contains(one.rowKey()))
                        .forEach(one -> outcomes.put(one.rowKey(), one));
                boolean more = !page.last() && !page.items().isEmpty();
                after = more ? page.items().get(page.items().size() - 1).rowKey() : null;
            }
            return outcomes;
        }

        private boolean matches(Rule some, Subscriber person, Map<String, Map<String, RecordedOutcome>> earlier) {
            if (some instanceof Group group) {
                return switch (group.combinator()) {
                    case ALL -> group.rules().stream().allMatch(one -> matches(one, person, earlier));
                    case ANY -> group.rules().stream().anyMatch(one -> matches(one, person, earlier));
                    case NONE -> group.rules().stream().noneMatch(one -> matches(one, person, earlier));
                };
            }
            Test test = (Test) some;
            return switch (test.operand()) {
                case FIELD ->
                    matches(
                            test,
                            fields.of(test.field()),
                            fields.withoutFormerYear(
                                    test.field(), person.profile().attributes().getOrDefault(test.field(), "")));
                case NAME ->
                    matches(test, Field.text(Field.NAME), person.profile().name());
                case ADDRESS ->
                    matches(test, Field.text("email"), person.address().folded());
                case STATE -> matchesWord(test, AsciiWord.of(person.state()));
                case SOURCE -> matchesWord(test, source(person));
                case JOINED -> joined(test, person.createdAt());
                case MESSAGE ->
                    matchesOutcome(
                            test.op(),
                            Optional.ofNullable(earlier.get(test.value()))
                                    .map(outcomes -> outcomes.get(person.rowKey())));
                case SEGMENT -> throw new IllegalStateException("not resolved: " + test);
            };
        }

        private static boolean matchesOutcome(Op op, Optional<RecordedOutcome> outcome) {
            boolean so = outcome.filter(recorded -> switch (op) {
                        case BOUNCED -> recorded.bounced();
                        case COMPLAINED -> recorded.complained();
                        default -> recorded.outcome() == Outcome.SENT;
                    })
                    .isPresent();
            return so == (op != Op.NOT_SENT);
        }

        private static boolean matchesWord(Test test, String word) {
            return test.value().equals(word) == (test.op() == Op.IS);
        }

        /** Returns the source of a subscriber's oldest known declaration. */
        public static String source(Subscriber person) {
            return person.consent().declarations().stream()
                    .min(Comparator.comparing(Declaration::at))
                    .map(first -> AsciiWord.of(first.how()))
                    .orElse("");
        }

        private boolean joined(Test test, Instant at) {
            if (test.op() == Op.IN_LAST_DAYS) {
                LocalDate first = LocalDate.ofInstant(now, zone)
                        .minusDays(Long.parseLong(test.value().strip()));
                return !at.isBefore(first.atStartOfDay(zone).toInstant());
            }
            return compared(FieldType.DATE, test, LocalDate.ofInstant(at, zone).toString());
        }

        private static boolean matches(Test test, Field field, String value) {
            boolean text = field.type() == FieldType.TEXT || field.type() == FieldType.CHOICE;
            return switch (test.op()) {
                case IS_EMPTY -> value.isBlank();
                case IS_NOT_EMPTY -> !value.isBlank();
                case CONTAINS -> folded(value).contains(folded(test.value()));
                case BEGINS_WITH -> folded(value).startsWith(folded(test.value()));
                case ENDS_WITH -> folded(value).endsWith(folded(test.value()));
                case IS -> text ? folded(value).equals(folded(test.value())) : compared(field.type(), test, value);
                case IS_NOT ->
                    text ? !folded(value).equals(folded(test.value())) : !compared(field.type(), test, value);
                default -> compared(field.type(), test, value);
            };
        }

        /** Returns whether a comparison is true. It is false for a value that does not fit the type. */
        private static boolean compared(FieldType type, Test test, String value) {
            Optional<String> one = type.sortable(value);
            Optional<String> other = type.sortable(test.value());
            if (one.isEmpty() || other.isEmpty()) {
                return false;
            }
            int order = one.get().compareTo(other.get());
            return switch (test.op()) {
                case GREATER, AFTER -> order > 0;
                case LESS, BEFORE -> order < 0;
                default -> order == 0;
            };
        }

        /** Returns a text in lower case, in which each letter has one form: also an ä, a sigma, and an i with a dot. */
        private static String folded(String text) {
            return Normalizer.normalize(text.strip(), Normalizer.Form.NFC)
                    .toLowerCase(Locale.ROOT)
                    .replace('ς', 'σ')
                    .replace("i\u0307", "i");
        }
    }
}
