/** The page <em>Settings › General</em>: the settings with which the processes run. */
@NullMarked
package org.azuremail.web.general;

import org.jspecify.annotations.NullMarked;
