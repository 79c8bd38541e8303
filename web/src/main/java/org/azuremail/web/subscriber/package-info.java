/** The pages of subscribers: search, add, change, delete, import, export. */
@NullMarked
package org.azuremail.web.subscriber;

import org.jspecify.annotations.NullMarked;
