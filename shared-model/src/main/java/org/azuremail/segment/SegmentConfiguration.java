package org.azuremail.segment;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Segments; every role needs them. */
@Configuration(proxyBeanMethods = false)
@Import({Segments.class, PeopleFilters.class, PeopleJobParameters.class, SegmentCounts.class, SegmentPeople.class})
class SegmentConfiguration {}
