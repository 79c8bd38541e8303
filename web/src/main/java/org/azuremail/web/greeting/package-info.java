/** The pages of greetings. */
@NullMarked
package org.azuremail.web.greeting;

import org.jspecify.annotations.NullMarked;
