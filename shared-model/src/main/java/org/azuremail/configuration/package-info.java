/** The settings that a process runs with, for people to read: secrets are masked before anything leaves the process. */
@NullMarked
package org.azuremail.configuration;

import org.jspecify.annotations.NullMarked;
