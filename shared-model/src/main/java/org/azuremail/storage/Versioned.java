package org.azuremail.storage;

/**
 * A value that was read, with the ETag under which it may be changed.
 *
 * @param etag the ETag of exactly the version that was read
 */
public record Versioned<T>(T value, String etag) {}
