/** Mailing lists: who sends, under which name, and how one joins. */
@NullMarked
package org.azuremail.list;

import org.jspecify.annotations.NullMarked;
