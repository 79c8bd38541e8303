/** Who is on a list: joining, confirming, leaving, coming back, changing address, import and export. */
@NullMarked
package org.azuremail.subscription;

import org.jspecify.annotations.NullMarked;
