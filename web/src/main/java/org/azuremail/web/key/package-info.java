/** The page of API keys, and the check of a call's key. */
@NullMarked
package org.azuremail.web.key;

import org.jspecify.annotations.NullMarked;
