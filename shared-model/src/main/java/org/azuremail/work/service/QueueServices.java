package org.azuremail.work.service;

import java.util.List;

/** Queue services whose number settings decide. A bean of this type is all it takes; their item types are beans of their own. */
public interface QueueServices {

    List<? extends QueueService<?>> all();
}
