/** Calls about mailing lists and what belongs to them: fields, segments, templates, blocks and jobs over their people. */
@NullMarked
package org.azuremail.web.api.list;

import org.jspecify.annotations.NullMarked;
