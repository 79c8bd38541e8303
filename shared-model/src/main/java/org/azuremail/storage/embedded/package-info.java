/**
 * The embedded storage in one SQLite file, which several processes of one machine may share; the only package that
 * knows JDBC.
 */
@NullMarked
package org.azuremail.storage.embedded;

import org.jspecify.annotations.NullMarked;
