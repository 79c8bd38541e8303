/**
 * The journal: a sender's notes about begun emails, in files of its own host, which narrow down the doubt after its
 * death.
 */
@NullMarked
package org.azuremail.journal;

import org.jspecify.annotations.NullMarked;
