/** Watchers that read mailboxes by IMAP or POP3, and mark a message as done only after its effect is stored. */
@NullMarked
package org.azuremail.watcher.mailbox;

import org.jspecify.annotations.NullMarked;
