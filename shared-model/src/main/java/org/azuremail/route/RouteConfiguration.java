package org.azuremail.route;

import org.azuremail.limit.RateLimits;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans by which every process knows the transports. */
@Configuration(proxyBeanMethods = false)
@Import({EmailCounts.class, RateLimits.class, Breakers.class})
class RouteConfiguration {}
