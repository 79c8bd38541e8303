/** Sets of values that live in blobs, and work over all of a set: map each value, or reduce all to one. */
@NullMarked
package org.azuremail.blobset;

import org.jspecify.annotations.NullMarked;
