package org.azuremail.segment;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;

/** Creates filters from rules. */
public record PeopleFilters(FieldStore fields, DeliveryStore deliveries) {

    /** The filter of a message that has begun, by the rules in its row; <em>in the last days</em> counts from its due instant. */
    public PeopleFilter of(Message message, List<MailingList> lists) {
        String rules = message.audience().rules();
        return rules == null
                ? everybody()
                : of(
                        RuleJson.stored(rules),
                        lists.get(0),
                        message.dueAt(),
                        message.schedule().zone());
    }

    /** @param rules as {@link RuleJson#text} writes them */
    public PeopleFilter of(String rules, MailingList list, Instant now, ZoneId zone) {
        return of(RuleJson.stored(rules), list, now, zone);
    }

    /** @param rule as {@link Segments} resolves it */
    public PeopleFilter of(Rule rule, MailingList list, Instant now, ZoneId zone) {
        return new PeopleFilter(rule, fields.of(list), deliveries, now, zone);
    }

    private PeopleFilter everybody() {
        Rule all = new Rule.Group(Rule.Joined.ALL, List.of());
        return new PeopleFilter(all, ListFields.NONE, deliveries, Instant.EPOCH, ZoneId.of("UTC"));
    }
}
