/** Removes the account of an admin together with its access. */
@NullMarked
package org.azuremail.web.team;

import org.jspecify.annotations.NullMarked;
