/** The dashboard: messages that are being sent or are next, and problems that need a person. */
@NullMarked
package org.azuremail.web.dashboard;

import org.jspecify.annotations.NullMarked;
