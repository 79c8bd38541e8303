/** Greetings: emails that each person of a list gets on a personal day, such as a birthday. */
@NullMarked
package org.azuremail.greeting;

import org.jspecify.annotations.NullMarked;
