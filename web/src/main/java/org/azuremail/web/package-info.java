/** The web role: pages, REST API, and the process that hosts all three roles by default. */
@NullMarked
package org.azuremail.web;

import org.jspecify.annotations.NullMarked;
