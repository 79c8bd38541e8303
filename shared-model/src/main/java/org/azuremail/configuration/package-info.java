/** Lists the settings of a process for people to read; secrets are masked before they leave the process. */
@NullMarked
package org.azuremail.configuration;

import org.jspecify.annotations.NullMarked;
