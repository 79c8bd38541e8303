package org.azuremail.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing. It may be empty and still continue: only a missing continuation means the end.
 *
 * @param continuation opaque, goes into the next call for the same listing; {@code null} at the end
 */
public record Page<T>(List<T> items, @Nullable String continuation) {}
