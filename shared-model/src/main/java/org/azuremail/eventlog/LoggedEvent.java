package org.azuremail.eventlog;

/**
 * An entry of the event log.
 *
 * @param id names it
 */
public record LoggedEvent(String id, Event event) {}
