/** The pages of subscribers: looked up, added, changed, deleted, imported, exported. */
@NullMarked
package org.azuremail.web.subscriber;

import org.jspecify.annotations.NullMarked;
