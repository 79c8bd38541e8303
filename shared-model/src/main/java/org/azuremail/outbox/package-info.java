/** Mail that stays here instead of leaving: every mail as it would have been sent, to be looked at. */
@NullMarked
package org.azuremail.outbox;

import org.jspecify.annotations.NullMarked;
