/** Mail classes: how urgent a message is, and which queue, places, hours and share of the limits follow from that. */
@NullMarked
package org.azuremail.mailclass;

import org.jspecify.annotations.NullMarked;
