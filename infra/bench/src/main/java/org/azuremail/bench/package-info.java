/** The benchmark: drives the packaged service, counts the emails that its sinks receive, and records the cost. */
@NullMarked
package org.azuremail.bench;

import org.jspecify.annotations.NullMarked;
