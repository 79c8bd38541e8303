/** The pages of jobs over many people or messages: their progress and their results. */
@NullMarked
package org.azuremail.web.job;

import org.jspecify.annotations.NullMarked;
