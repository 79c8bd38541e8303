package org.azuremail.mailclass;

import java.time.Duration;

/**
 * The urgency of messages. Its label carries no magic: the settings say what it means.
 *
 * @param name as people see it; two classes never differ only in upper and lower case
 * @param rank 0 for the most urgent class
 * @param queueSuffix behind the name of each queue that the class has; empty for the default class
 * @param fewestPlaces how many ranges of the class a process handles at the same time while few wait; 0 for as many as
 *     the transports can use
 * @param mostPlaces up to how many while many wait; the same where the number is fixed
 * @param target within what time of its queueing an item should be begun
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

    /** Returns the queue of this class among those that all classes have, such as {@code azuremailqueue-low}. */
    public String queue(String all) {
        return all + queueSuffix;
    }

    @Override
    public String toString() {
        return name;
    }
}
