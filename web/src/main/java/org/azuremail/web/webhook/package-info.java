/** The addresses to which providers report what happened to emails. */
@NullMarked
package org.azuremail.web.webhook;

import org.jspecify.annotations.NullMarked;
