package org.azuremail.web.block;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The rows of a block. A bean of this type and a template {@code <name>.html} beside it are all that a new block takes: pages,
 * sorting, the dashboard and the call are the same for all.
 */
interface Block {

    /**
     * Names the template and the address, in lower-case letters and dashes. The title is {@code block.<name>} in
     * messages.properties, and without that the name.
     */
    String name();

    /** The fields by which it can be sorted; the first is the usual one. The words are {@code label.<field>}, or the name. */
    List<String> fields();

    default boolean largestFirst() {
        return true;
    }

    /**
     * Searches its index: by its own filter, and by what is to be appended to that now. Asked at each request.
     *
     * @param most the most items that anybody wants to see
     * @param descending whether the largest values of the first field are wanted where there are more
     */
    List<Item> find(Instant now, int most, boolean descending);

    /**
     * @param values for the template and for programs, by field
     * @param sortable how fields compare whose values do not sort as they are
     */
    record Item(Map<String, String> values, Map<String, String> sortable) {

        public Item {
            values = Map.copyOf(values);
            sortable = Map.copyOf(sortable);
        }

        String sortable(String field) {
            return sortable.getOrDefault(field, values.getOrDefault(field, ""));
        }
    }
}
