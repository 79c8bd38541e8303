package org.azuremail.attention;

import org.azuremail.attention.ReportedCauses.ReportedCausesStore;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the problems that need a person known to every process: pages show them, and senders email them. */
@Configuration(proxyBeanMethods = false)
@Import({SendingStatus.class, Attention.class, ReportedCausesStore.class, Admins.class})
class AttentionConfiguration {}
