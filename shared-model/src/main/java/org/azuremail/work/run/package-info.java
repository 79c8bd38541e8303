/** Doing the work: runners take items off queues and services by their time, and settle how each turn ended. */
@NullMarked
package org.azuremail.work.run;

import org.jspecify.annotations.NullMarked;
