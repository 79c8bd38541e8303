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
 * @param messageRef the reference, as a string because not every JSON reader keeps 18 digits
 * @param list the first of the message's lists
 * @param segment the segment of the only list; {@code null} if the message goes to whole lists
 * @param state the state in lower case
 * @param draft whether the message is a draft, which is not sent until it is released for sending
 * @param reason why the message failed, is paused or waits; {@code null} if it does not
 * @param reasonCode the code of the reason; {@code null} without a reason
 * @param obstacles sentences about all that keeps the message from being sent; only in answers about one message
 * @param mailClass the class chosen for the message; {@code null} while the plan of its list decides
 * @param recipients the number of recipients that fan-out has counted so far
 * @param waiting the number of recipients without an outcome
 * @param recipientsRemovedAt when the outcomes of single recipients ceased to be kept; {@code null} while they are kept
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
                        Stream.of(message.result().reason(), message.state().pauseReason()),
                        progress.waitReasons().stream())
                .filter(reason -> !reason.none())
                .findFirst()
                .orElse(Reason.NONE);
    }

    static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }
}
