/** The operators' page: waiting work, processes, storage calls and their cost. */
@NullMarked
package org.azuremail.web.operations;

import org.jspecify.annotations.NullMarked;
