package org.azuremail.work.run;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the runtime cleans up behind itself, once a day, in processes with the scheduler's role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SCHEDULER)
@Import({PayloadSweep.class, PartitionSweep.class})
public class HousekeepingConfiguration {}
