package org.azuremail.content;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans for checking subjects and bodies. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ContentProperties.class)
@Import(MessageBodies.class)
class ContentConfiguration {}
