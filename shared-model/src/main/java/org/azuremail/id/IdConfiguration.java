package org.azuremail.id;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Compact numbers from the storage. */
@Configuration(proxyBeanMethods = false)
@Import(CompactIds.class)
class IdConfiguration {}
