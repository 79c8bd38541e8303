package org.azuremail.id;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The source of compact numbers, which are counted in the storage. */
@Configuration(proxyBeanMethods = false)
@Import(CompactIds.class)
class IdConfiguration {}
