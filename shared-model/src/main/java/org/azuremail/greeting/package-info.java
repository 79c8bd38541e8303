/** Greetings: emails that people of a list get on a day of their own, each once. */
@NullMarked
package org.azuremail.greeting;

import org.jspecify.annotations.NullMarked;
