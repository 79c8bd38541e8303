/** Calls about mailing lists and their fields, segments, templates, blocks and jobs. */
@NullMarked
package org.azuremail.web.api.list;

import org.jspecify.annotations.NullMarked;
