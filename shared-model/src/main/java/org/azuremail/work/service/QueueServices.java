package org.azuremail.work.service;

import java.util.List;

/**
 * Queue services whose number depends on settings. They only have to be declared as one bean; their item types are
 * separate beans.
 */
public interface QueueServices {

    List<? extends QueueService<?>> all();
}
