/** Imports and exports subscribers as CSV files; decides which rows are refused, and why. */
@NullMarked
package org.azuremail.subscription.transfer;

import org.jspecify.annotations.NullMarked;
