/** Images for messages: their upload, their resized copies in blobs, and the table that lists them. */
@NullMarked
package org.azuremail.image;

import org.jspecify.annotations.NullMarked;
