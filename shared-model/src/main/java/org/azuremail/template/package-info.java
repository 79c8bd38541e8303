/**
 * Templates of the pages and emails that subscribers see: files that all lists share, and the copies of single lists.
 */
@NullMarked
package org.azuremail.template;

import org.jspecify.annotations.NullMarked;
