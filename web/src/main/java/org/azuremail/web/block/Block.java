package org.azuremail.web.block;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A source of a block's items. A new block needs only a bean of this type and a template {@code <name>.html} beside it:
 * the pages, the sorting, the dashboard and the API call are the same for all blocks.
 */
interface Block {

    /**
     * Returns the name of the block in its address and of its template, in lower-case letters and dashes. The title is
     * {@code block.<name>} in messages.properties, or the name if that is missing.
     */
    String name();

    /**
     * Returns the fields by which the items can be sorted, the default field first. Their labels are
     * {@code label.<field>} in messages.properties, or the names.
     */
    List<String> fields();

    default boolean largestFirst() {
        return true;
    }

    /**
     * Searches the block's index by its own filter and by the condition that the present time adds. Called at each
     * request.
     *
     * @param max the most items that the caller needs
     * @param descending whether the largest values of the first field are preferred when more items exist
     */
    List<Item> find(Instant now, int max, boolean descending);

    /**
     * An item of a block.
     *
     * @param values the values for the template and for programs, by field
     * @param sortable the sort keys of fields whose values do not sort as they are
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
