package org.azuremail.attention;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What needs a person is known to every process: pages show it, and senders email it. */
@Configuration(proxyBeanMethods = false)
@Import({Underway.class, Attention.class, ToldStore.class, Admins.class})
public class AttentionConfiguration {}
