/** Sets of values in blobs, and jobs over all values of a set: map each value, or reduce all to one. */
@NullMarked
package org.azuremail.blobset;

import org.jspecify.annotations.NullMarked;
