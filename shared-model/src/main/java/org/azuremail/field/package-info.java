/**
 * Fields of a list: what is known about its subscribers beside address and name, each with a type that its values are checked
 * by.
 */
@NullMarked
package org.azuremail.field;

import org.jspecify.annotations.NullMarked;
