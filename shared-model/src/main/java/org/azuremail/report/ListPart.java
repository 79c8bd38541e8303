package org.azuremail.report;

import org.azuremail.blobset.TextForm;

/** One shard of a list: a piece of a job about its people. */
record ListPart(String list, int shard) {

    static final TextForm<ListPart> FORM = TextForm.json(ListPart.class);
}
