package org.azuremail.sender.confirmation;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Confirmations have a queue and workers of their own, so that no amount of list mail delays them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@Import(ConfirmationSender.class)
public class ConfirmationConfiguration {}
