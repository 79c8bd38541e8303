package org.azuremail.attention;

import org.azuremail.attention.Told.ToldStore;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Every process knows the problems that need a person: pages show it, and senders email it. */
@Configuration(proxyBeanMethods = false)
@Import({Underway.class, Attention.class, ToldStore.class, Admins.class})
class AttentionConfiguration {}
