/** The three ports on an Azure Storage account; the only package that knows Azure's client libraries. */
@NullMarked
package org.azuremail.storage.azure;

import org.jspecify.annotations.NullMarked;
