package org.azuremail.blobset;

import org.azuremail.work.queue.ItemType;

/**
 * A piece of a job.
 *
 * @param chunk which one of its level; {@link #WALK}: find out which chunks there are
 */
record JobItem(String job, int level, int chunk) {

    static final int WALK = -1;

    static final ItemType<JobItem> TYPE = ItemType.json("azuremailjobqueue", JobItem.class);
}
