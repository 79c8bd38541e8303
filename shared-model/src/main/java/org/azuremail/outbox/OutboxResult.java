package org.azuremail.outbox;

import java.util.Optional;
import org.azuremail.storage.StorageException;

/**
 * How much of a lot the outbox has kept, counted from its first mail.
 *
 * @param certain so many are kept, durably
 * @param doubtful of so many after them nobody knows
 * @param failure why the rest was not begun; empty when all are certain
 */
public record OutboxResult(int certain, int doubtful, Optional<StorageException> failure) {}
