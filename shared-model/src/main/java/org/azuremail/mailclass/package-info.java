/** Mail classes: how urgent a message is, and what that means for its queue, its places, its hours and its part of the limits. */
@NullMarked
package org.azuremail.mailclass;

import org.jspecify.annotations.NullMarked;
