/** The state of the service for its operators: work, instances, storage calls and their cost. */
@NullMarked
package org.azuremail.operations;

import org.jspecify.annotations.NullMarked;
