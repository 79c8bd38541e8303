/** The pages and emails that subscribers see: template files that all lists share, and the copies that lists have of them. */
@NullMarked
package org.azuremail.template;

import org.jspecify.annotations.NullMarked;
