package org.azuremail.blobset;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.blobset.BlobSet.Element;
import org.jspecify.annotations.Nullable;

/**
 * Makes a work item of each value of a set.
 *
 * @param <T> the values
 */
public interface SetMapper<T> extends SetJob<T, Long> {

    /**
     * The item for one value; it is put on the queue of its class, together with others as its type suggests. After a crash a
     * value may be mapped again and its item be put twice, so the item should carry the element's id where that matters.
     *
     * @param element names the value in its set
     */
    Object map(String element, T value) throws Exception;

    @Override
    default TextForm<Long> results() {
        return TextForm.json(Long.class);
    }

    @Override
    default Step<Long> work(Piece piece, List<Element<T>> values, @Nullable Long soFar) throws Exception {
        List<Object> items = new ArrayList<>();
        for (Element<T> element : values) {
            items.add(map(element.id(), element.value()));
        }
        piece.queue().accept(items);
        return Step.last((long) values.size(), values.size());
    }

    @Override
    default Long reduce(Long one, Long other) {
        return one + other;
    }
}
