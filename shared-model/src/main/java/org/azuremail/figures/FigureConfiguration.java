package org.azuremail.figures;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The figures of messages, which the scheduler counts. */
@Configuration(proxyBeanMethods = false)
@Import({FigureStore.class, FigureCount.class})
class FigureConfiguration {}
