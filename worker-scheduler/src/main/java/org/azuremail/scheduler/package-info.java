/** Worker A: fans out due messages, completes them, and queues abandoned work again. */
@NullMarked
package org.azuremail.scheduler;

import org.jspecify.annotations.NullMarked;
