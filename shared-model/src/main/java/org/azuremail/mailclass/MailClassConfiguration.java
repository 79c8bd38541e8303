package org.azuremail.mailclass;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The mail classes, which every role needs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailClassProperties.class)
@Import(MailClasses.class)
class MailClassConfiguration {}
