/** The pages of jobs: what runs over many people or messages, how far it is, and what it came to. */
@NullMarked
package org.azuremail.web.job;

import org.jspecify.annotations.NullMarked;
