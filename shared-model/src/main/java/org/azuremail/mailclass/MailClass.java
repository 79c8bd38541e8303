package org.azuremail.mailclass;

import java.time.Duration;

/**
 * The urgency of messages. A label alone has no effect; the settings define what it means.
 *
 * @param name the name for people; two names never differ only in case
 * @param rank 0 for the most urgent class
 * @param queueSuffix the suffix of the names of the class's queues; empty for the default class
 * @param fewestPlaces the number of ranges of the class that a process handles at the same time while few wait; 0 for
 *     as many as the transports can use
 * @param mostPlaces the number while many wait; equal to {@code fewestPlaces} if the number is fixed
 * @param target the time after its queueing within which work on an item should begin
 * @param share the part of the limits that the class may use, in percent of what messages may use
 * @param hours when the class is sent
 */
public record MailClass(
        String name,
        int rank,
        String queueSuffix,
        int fewestPlaces,
        int mostPlaces,
        Duration target,
        int share,
        ClassHours hours) {

    /** Returns the name of this class's queue for a queue that all classes have, such as {@code azuremailqueue-low}. */
    public String queue(String all) {
        return all + queueSuffix;
    }

    @Override
    public String toString() {
        return name;
    }
}
