package org.azuremail.web.api.operations;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The emails of the outbox transport, as they would have been sent. */
@RestController
@RequestMapping("/api/v1/outbox")
record OutboxApi(OutboxStore outbox) {

    record EntryBody(String id, Instant sentAt, String from, String to, String subject) {}

    /** @param headers the headers other than From, To, Subject, Date and Message-ID */
    record MailBody(
            @JsonUnwrapped EntryBody entry, String messageId, Map<String, String> headers, String html, String text) {}

    /** Returns the emails, newest first. With {@code to}, only returns emails to that recipient. */
    @GetMapping
    Items<EntryBody> all(@RequestParam @Nullable String to, Paging paging) {
        RequestFields fields = new RequestFields();
        Optional<EmailAddress> recipient = fields.optional("to", to, EmailAddress::parse, RequestFields.NOT_AN_ADDRESS);
        paging.check(fields, Paging.MAX_LIMIT);
        fields.check();
        return paging.read(
                (limit, from) ->
                        recipient.isPresent() ? outbox.to(recipient.get(), limit, from) : outbox.newest(limit, from),
                OutboxApi::entry);
    }

    @GetMapping("/{id}")
    MailBody one(@PathVariable String id) {
        OutboxStore.FullEmail mail = require(id);
        return new MailBody(
                entry(mail.entry()),
                mail.messageId(),
                headers(mail),
                mail.merged().html(),
                mail.merged().text());
    }

    @GetMapping("/{id}/raw")
    ResponseEntity<byte[]> raw(@PathVariable String id) {
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("message/rfc822"))
                .body(require(id).raw());
    }

    private OutboxStore.FullEmail require(String id) {
        return outbox.find(id).orElseThrow(() -> RefusedCall.notFound("There is no mail " + id + " in the outbox."));
    }

    private static Map<String, String> headers(OutboxStore.FullEmail mail) {
        Map<String, String> headers = new LinkedHashMap<>();
        mail.merged().headers().forEach(header -> headers.put(header.name(), header.value()));
        return headers;
    }

    private static EntryBody entry(OutboxStore.Entry entry) {
        return new EntryBody(
                entry.id(),
                entry.sentAt(),
                entry.from().address().value(),
                entry.to().address().value(),
                entry.subject());
    }
}
