/** Calls about messages that nobody writes by hand: watchers and greetings. */
@NullMarked
package org.azuremail.web.api.automation;

import org.jspecify.annotations.NullMarked;
