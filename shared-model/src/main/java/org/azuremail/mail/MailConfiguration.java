package org.azuremail.mail;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The settings that all transports share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailProperties.class)
@Import(TransportKinds.class)
class MailConfiguration {}
