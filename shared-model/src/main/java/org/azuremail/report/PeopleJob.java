package org.azuremail.report;

import java.util.Map;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.JobFailure;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.TextForm;

/** A job over the people of a list or a segment, shard by shard. */
interface PeopleJob<R> extends SetJob<ListPart, R> {

    PeopleWalk walk();

    @Override
    default TextForm<ListPart> values() {
        return ListPart.FORM;
    }

    /** A shard is a piece: it is walked in several steps. */
    @Override
    default int together() {
        return 1;
    }

    @Override
    default void fill(BlobSet<ListPart> set, Map<String, String> about) throws JobFailure {
        walk().fill(set, about);
    }
}
