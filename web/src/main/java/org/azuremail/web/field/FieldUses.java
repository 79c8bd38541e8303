package org.azuremail.web.field;

import java.util.Map;
import java.util.TreeMap;
import org.azuremail.field.ListFields;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingInput;
import org.azuremail.greeting.Greetings;
import org.azuremail.list.ListName;
import org.azuremail.list.Segment;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.springframework.stereotype.Component;

/** Finds the segments and greetings that use a field of a list. */
@Component
public record FieldUses(Segments segments, Greetings greetings) {

    /**
     * Returns the titles of the segments and greetings that a change of the fields would break, under {@code segments}
     * and {@code greetings}; empty when it breaks none.
     */
    public Map<String, String> brokenBy(ListName list, String field, ListFields changed) {
        Map<String, String> broken = new TreeMap<>();
        segments.brokenBy(list, field, changed).stream()
                .map(Segment::title)
                .forEach(title -> broken.merge("segments", title, FieldUses::join));
        greetings.all().stream()
                .map(Versioned::value)
                .filter(greeting -> greeting.list().equals(list)
                        && greeting.field().equals(field)
                        && changed.find(field)
                                .filter(GreetingInput::holdsBirthdays)
                                .isEmpty())
                .map(Greeting::name)
                .forEach(name -> broken.merge("greetings", name, FieldUses::join));
        return broken;
    }

    private static String join(String titles, String title) {
        return titles + ", " + title;
    }
}
