/** The benchmark: drives the packaged service, counts what its sinks get, and writes down what it cost. */
@NullMarked
package org.azuremail.bench;

import org.jspecify.annotations.NullMarked;
