package org.azuremail.suppression;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Suppressions; every role needs them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuppressionProperties.class)
@Import(Suppressions.class)
class SuppressionConfiguration {}
