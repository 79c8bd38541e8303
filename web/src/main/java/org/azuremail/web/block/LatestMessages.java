package org.azuremail.web.block;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.web.layout.Moments;
import org.springframework.stereotype.Component;

/** The messages of the archive that were due within the last thirty days. */
@Component
record LatestMessages(MessageStore messages, AzureMailProperties settings) implements Block {

    private static final Duration LATEST = Duration.ofDays(30);

    @Override
    public String name() {
        return "latest-messages";
    }

    @Override
    public List<String> fields() {
        return List.of("date", "subject", "list", "sent");
    }

    /** Reads the archive, which is already sorted by date, the latest first. */
    @Override
    public List<Item> find(Instant now, int max, boolean descending) {
        return messages.sent(descending ? max : Blocks.MAX, null).items().stream()
                .filter(message -> message.scheduledDate().isAfter(now.minus(LATEST)))
                .map(this::item)
                .toList();
    }

    private Item item(Message message) {
        String sent = Long.toString(message.result().counts().sent());
        Instant due = message.scheduledDate();
        return new Item(
                Map.of(
                        "date", Moments.local(LocalDateTime.ofInstant(due, settings.zone())),
                        "subject", message.subject(),
                        "list", message.audience().toString(),
                        "sent", sent,
                        "link", "/messages/" + message.ref()),
                Map.of(
                        "date", due.toString(),
                        "subject", message.subject().toLowerCase(Locale.ROOT),
                        "sent", "0".repeat(19 - sent.length()) + sent));
    }
}
