package org.azuremail.blobset;

/**
 * Makes a work item of each value of a set. A bean of this type is all it takes: any process that has the scheduler's role
 * runs it, for many values at a time.
 *
 * @param <T> the values
 */
public interface SetMapper<T> {

    /** Unique and stable. */
    String name();

    TextForm<T> form();

    /**
     * The item for one value; it is put on the queue of its class. After a crash a value may be mapped again and its item be
     * put twice, so the item should carry the element's id where that matters. A throw counts as a failure of the chunk
     * that the value stands in.
     *
     * @param element names the value in its set
     */
    Object map(String element, T value) throws Exception;
}
