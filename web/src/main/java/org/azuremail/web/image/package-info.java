/** The pages of images, and the addresses at which emails load them. */
@NullMarked
package org.azuremail.web.image;

import org.jspecify.annotations.NullMarked;
