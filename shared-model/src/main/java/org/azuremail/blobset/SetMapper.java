package org.azuremail.blobset;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.blobset.BlobSet.Element;
import org.jspecify.annotations.Nullable;

/**
 * Creates a work item from each value of a set.
 *
 * @param <T> the type of the values
 */
public interface SetMapper<T> extends CountingJob<T> {

    /**
     * Returns the item for one value. It is put on the queue of its class, in batches as its type specifies. After a
     * crash, a value may be mapped again and its item put twice. Where that matters, the item should contain the
     * element's id.
     *
     * @param element the id of the value in its set
     */
    Object map(String element, T value) throws Exception;

    @Override
    default Step<Long> work(SetJob.Piece piece, List<Element<T>> values, @Nullable Long soFar) throws Exception {
        List<Object> items = new ArrayList<>();
        for (Element<T> element : values) {
            items.add(map(element.id(), element.value()));
        }
        piece.queue().accept(items);
        return Step.last((long) values.size(), values.size());
    }
}
