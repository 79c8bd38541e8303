package org.azuremail.blobset;

import org.azuremail.work.queue.ItemType;

/**
 * A work item: a chunk of a job.
 *
 * @param chunk its number in the level; {@link #WALK} to create the chunks of the level
 */
record JobItem(String job, int level, int chunk) {

    static final int WALK = -1;

    static final ItemType<JobItem> TYPE = ItemType.json("azuremailjobqueue", JobItem.class);
}
