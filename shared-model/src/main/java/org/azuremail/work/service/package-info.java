/** The interfaces that a feature implements to have work done: queue services, scheduled services and local services. */
@NullMarked
package org.azuremail.work.service;

import org.jspecify.annotations.NullMarked;
