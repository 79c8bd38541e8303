/**
 * The embedded storage: one SQLite file, one writer with group commit, short reads beside it. Nothing to install; several
 * processes of one machine may share the file. The only package that knows JDBC.
 */
@NullMarked
package org.azuremail.storage.embedded;

import org.jspecify.annotations.NullMarked;
