/**
 * The notes of a sender on the emails that it began, in files of its own host: they outlive the process and narrow down what
 * is in doubt after its death.
 */
@NullMarked
package org.azuremail.journal;

import org.jspecify.annotations.NullMarked;
