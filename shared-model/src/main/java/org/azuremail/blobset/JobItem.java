package org.azuremail.blobset;

import org.azuremail.work.queue.ItemType;

/**
 * A work item for a chunk of a job.
 *
 * @param chunk the number of the chunk in its level, or {@link #WALK} to create the chunks of the level
 */
record JobItem(String job, int level, int chunk) {

    static final int WALK = -1;

    static final ItemType<JobItem> TYPE = ItemType.json("azuremailjobqueue", JobItem.class);
}
