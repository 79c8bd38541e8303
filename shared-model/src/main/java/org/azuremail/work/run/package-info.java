/** Runs the work: takes items off queues, runs services when they are due, and settles the result of each turn. */
@NullMarked
package org.azuremail.work.run;

import org.jspecify.annotations.NullMarked;
