/** The operators' pages: waiting work, processes, storage calls and their cost, history, configuration. */
@NullMarked
package org.azuremail.web.operations;

import org.jspecify.annotations.NullMarked;
