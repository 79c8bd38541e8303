package org.azuremail.web.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing.
 *
 * @param cursor goes into the next call; {@code null} at the end. A page may have no items and a cursor
 */
public record Items<T>(List<T> items, @Nullable String cursor) {}
