/** The running processes: one row each, renewed regularly, with facts that the process reports about itself. */
@NullMarked
package org.azuremail.work.instance;

import org.jspecify.annotations.NullMarked;
