/** Mail as a transport sees it: shared content, the mails of one lot, and what became of each. */
@NullMarked
package org.azuremail.mail;

import org.jspecify.annotations.NullMarked;
