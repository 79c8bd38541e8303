package org.azuremail.report;

import java.util.Map;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.JobFailure;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.TextForm;

/** A job over the people of a list or a segment, shard by shard. */
interface PeopleJob<R> extends SetJob<PeopleJob.ListPart, R> {

    PeopleWalk walk();

    /** A piece: one shard of a list. */
    record ListPart(String list, int shard) {}

    @Override
    default TextForm<ListPart> values() {
        return TextForm.json(ListPart.class);
    }

    /** Each piece is one shard, which is walked in several steps. */
    @Override
    default int together() {
        return 1;
    }

    @Override
    default void fill(BlobSet<ListPart> set, Map<String, String> about) throws JobFailure {
        walk().fill(set, about);
    }
}
