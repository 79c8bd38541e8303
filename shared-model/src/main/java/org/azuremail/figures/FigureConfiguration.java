package org.azuremail.figures;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Figures of messages; the scheduler counts them. */
@Configuration(proxyBeanMethods = false)
@Import({FigureStore.class, FigureCount.class})
class FigureConfiguration {}
