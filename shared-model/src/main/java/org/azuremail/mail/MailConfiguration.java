package org.azuremail.mail;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The settings that every transport shares. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailProperties.class)
@Import(TransportKinds.class)
class MailConfiguration {}
