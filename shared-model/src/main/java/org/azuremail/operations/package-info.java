/** How the service does, for who looks after it: work, instances, storage calls and what they cost. */
@NullMarked
package org.azuremail.operations;

import org.jspecify.annotations.NullMarked;
