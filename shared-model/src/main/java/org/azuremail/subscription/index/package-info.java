/** Indexes subscribers by their searchable fields, and fits values to the types of a list's fields. */
@NullMarked
package org.azuremail.subscription.index;

import org.jspecify.annotations.NullMarked;
