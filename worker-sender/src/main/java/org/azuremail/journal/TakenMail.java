package org.azuremail.journal;

import java.time.Instant;

/**
 * A mail that the provider took from a process that is dead.
 *
 * @param whereabouts of its lot, as {@link Journal#opens} was told
 * @param row its row key
 * @param notAfter it was taken before
 */
public record TakenMail(String whereabouts, String row, String providerId, Instant notAfter) {}
