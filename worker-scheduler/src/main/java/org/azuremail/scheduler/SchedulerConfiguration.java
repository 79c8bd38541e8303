package org.azuremail.scheduler;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of worker A, for every process that has the scheduler role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SCHEDULER)
@Import({DueMessages.class, MessageSteps.class, Reconciler.class, HeldMessages.class, FanOut.class, BodySweep.class})
class SchedulerConfiguration {}
