/** The parts that all pages share: the frame around them, notices, error pages. */
@NullMarked
package org.azuremail.web.layout;

import org.jspecify.annotations.NullMarked;
