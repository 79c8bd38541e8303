package org.azuremail.list;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies lists with a changed value, which the product can only change together with all others. */
public final class Lists {

    private Lists() {}

    /** Returns the list with another value of this component. */
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
