/**
 * The interfaces that a feature implements to run background work: queue services, scheduled services and local
 * services.
 */
@NullMarked
package org.azuremail.work.service;

import org.jspecify.annotations.NullMarked;
