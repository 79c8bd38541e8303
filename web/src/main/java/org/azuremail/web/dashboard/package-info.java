/** The page that everybody sees first: what is being sent, what comes next, and what needs a person. */
@NullMarked
package org.azuremail.web.dashboard;

import org.jspecify.annotations.NullMarked;
