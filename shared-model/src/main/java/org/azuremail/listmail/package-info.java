/** Creates the emails of a list: its messages, confirmations and welcome emails. */
@NullMarked
package org.azuremail.listmail;

import org.jspecify.annotations.NullMarked;
