package org.azuremail.suppression;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The suppressions, which every role needs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuppressionProperties.class)
@Import(Suppressions.class)
class SuppressionConfiguration {}
