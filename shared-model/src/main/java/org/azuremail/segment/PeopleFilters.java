package org.azuremail.segment;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;

/** Makes filters of rules. */
public class PeopleFilters {

    private final FieldStore fields;
    private final DeliveryStore deliveries;

    public PeopleFilters(FieldStore fields, DeliveryStore deliveries) {
        this.fields = fields;
        this.deliveries = deliveries;
    }

    /** Of a message that has begun: by the rules that it holds, with the last days counted from when it was due. */
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

    /** @param rules as {@link RuleJson#text} has written them */
    public PeopleFilter of(String rules, MailingList list, Instant now, ZoneId zone) {
        return of(RuleJson.stored(rules), list, now, zone);
    }

    /** @param rule as {@link Segments} has resolved it */
    public PeopleFilter of(Rule rule, MailingList list, Instant now, ZoneId zone) {
        return new PeopleFilter(rule, fields.of(list), deliveries, now, zone);
    }

    private PeopleFilter everybody() {
        Rule all = new Rule.Group(Rule.Joined.ALL, List.of());
        return new PeopleFilter(all, ListFields.NONE, deliveries, Instant.EPOCH, ZoneId.of("UTC"));
    }
}
