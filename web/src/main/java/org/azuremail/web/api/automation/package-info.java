/** Calls about watchers and greetings. */
@NullMarked
package org.azuremail.web.api.automation;

import org.jspecify.annotations.NullMarked;
