package org.azuremail.list;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of lists with a value that the product changes only with all others, by its form or the API. */
public final class Lists {

    private Lists() {}

    /** The list with another value of this component. */
    public static MailingList with(MailingList list, String component, @Nullable Object value) {
        List<RecordComponent> all = List.of(MailingList.class.getRecordComponents());
        try {
            Object[] values = new Object[all.size()];
            for (int i = 0; i < values.length; i++) {
                boolean other = all.get(i).getName().equals(component);
                values[i] = other ? value : all.get(i).getAccessor().invoke(list);
            }
            Class<?>[] types = all.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
            return MailingList.class.getConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(component + " of " + Arrays.toString(all.toArray()), e);
        }
    }
}
