package org.azuremail.attention;

import org.azuremail.attention.Told.ToldStore;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the problems that need a person known to every process: pages show them, and senders email them. */
@Configuration(proxyBeanMethods = false)
@Import({Underway.class, Attention.class, ToldStore.class, Admins.class})
class AttentionConfiguration {}
