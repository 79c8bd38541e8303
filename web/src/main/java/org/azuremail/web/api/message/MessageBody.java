package org.azuremail.web.api.message;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Message;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.web.message.Obstacles.Obstacle;
import org.jspecify.annotations.Nullable;

/**
 * @param messageRef as a string, because not every JSON reader keeps 18 digits
 * @param list the first of its lists
 * @param segment of the only list; {@code null} when it goes to everybody
 * @param state in lower case
 * @param draft nothing goes out before somebody sends it
 * @param reason why it failed, is paused or waits; {@code null} when there is none
 * @param reasonCode of the reason; {@code null} when there is none
 * @param obstacles all that keeps it from going on, in sentences; only where one message is asked for
 * @param mailClass {@code null} while the plan of its list decides
 * @param recipients counted at fan-out, so far
 * @param waiting recipients without an outcome
 * @param recipientsRemovedAt from when on the outcomes of single recipients are kept no longer
 */
record MessageBody(
        String messageRef,
        String list,
        List<String> lists,
        @Nullable String segment,
        String subject,
        Instant scheduledAt,
        String zone,
        String state,
        boolean paused,
        boolean draft,
        @Nullable String reason,
        @Nullable String reasonCode,
        List<String> obstacles,
        String onUnknown,
        @Nullable String mailClass,
        long recipients,
        long waiting,
        @JsonUnwrapped OutcomeCounts counts,
        Instant createdAt,
        @Nullable Instant completedAt,
        @Nullable Instant recipientsRemovedAt) {

    static MessageBody of(Message message, MessageProgress progress, List<Obstacle> obstacles) {
        Reason reason = reason(message, progress);
        SegmentName segment = message.audience().segment();
        return new MessageBody(
                message.ref().toString(),
                message.list().value(),
                message.lists().stream().map(ListName::value).toList(),
                segment == null ? null : segment.value(),
                message.subject(),
                message.scheduledDate(),
                message.schedule().zone().getId(),
                lower(message.status().stored()),
                message.paused(),
                message.state().draft(),
                reason.none() ? null : reason.words(),
                reason.none() ? null : reason.code(),
                obstacles.stream().map(Obstacle::text).toList(),
                lower(message.onUnknown().name()),
                message.mailClass(),
                progress.recipients(),
                progress.waiting(),
                progress.counts(),
                message.created().at(),
                message.completedAt(),
                message.result().retiredAt());
    }

    private static Reason reason(Message message, MessageProgress progress) {
        return Stream.concat(
                        Stream.of(message.result().reason(), message.state().pauseReason()), progress.notes().stream())
                .filter(reason -> !reason.none())
                .findFirst()
                .orElse(Reason.NONE);
    }

    static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }
}
