/** Indexes what is searchable of subscribers, and fits the values of a list to the types of its fields. */
@NullMarked
package org.azuremail.subscription.index;

import org.jspecify.annotations.NullMarked;
