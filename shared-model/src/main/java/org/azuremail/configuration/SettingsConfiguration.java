package org.azuremail.configuration;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Every process reports its settings, and web shows them. */
@Configuration(proxyBeanMethods = false)
@Import({EffectiveSettings.class, InstanceSettings.class, SettingSources.class})
class SettingsConfiguration {}
