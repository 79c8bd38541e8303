/**
 * The processes of the product that are alive: one row each, renewed now and then, with the facts that each reports of itself.
 */
@NullMarked
package org.azuremail.work.instance;

import org.jspecify.annotations.NullMarked;
