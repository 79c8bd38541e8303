/** The page of API keys, and the check of the key that a call carries. */
@NullMarked
package org.azuremail.web.key;

import org.jspecify.annotations.NullMarked;
