/** Three ports with Azure Storage's semantics (tables, queues, blobs), and the logic that all back ends share. */
@NullMarked
package org.azuremail.storage;

import org.jspecify.annotations.NullMarked;
