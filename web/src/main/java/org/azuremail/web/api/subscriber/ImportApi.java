package org.azuremail.web.api.subscriber;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.transfer.FileEncoding;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Imports and exports of subscribers. */
@RestController
record ImportApi(Imports imports, SubscriberExport export, IdSource ids) {

    /** @param total the number of rows in the file, once they are counted */
    record ImportBody(
            String id,
            String list,
            String state,
            @Nullable String reason,
            @Nullable String reasonCode,
            @Nullable Long total,
            @JsonUnwrapped SubscriberImport.Counts counts,
            boolean verified,
            String encoding,
            Instant startedAt,
            @Nullable Instant finishedAt) {

        static ImportBody of(SubscriberImport one) {
            Reason reason = one.reason();
            return new ImportBody(
                    one.id().value(),
                    one.list().value(),
                    one.state().stored(),
                    reason.none() ? null : reason.words(),
                    reason.none() ? null : reason.code(),
                    one.total(),
                    one.counts(),
                    one.verified(),
                    one.file().encoding().stored(),
                    one.startedAt(),
                    one.finishedAt());
        }
    }

    /** Starts an import. The file is streamed into the storage, and never held in memory as a whole. */
    @PostMapping("/api/v1/lists/{list}/imports")
    ResponseEntity<ImportBody> start(
            @RequestParam(defaultValue = "false") boolean verified,
            @RequestParam(defaultValue = "") String encoding,
            HttpServletRequest request,
            Idempotency idempotency,
            Origin origin,
            Supplier<MailingList> list)
            throws IOException {
        if (!isCsv(request.getContentType())) {
            throw new RefusedCall(
                    ProblemCode.MEDIA_TYPE_REFUSED,
                    "Send the file as the body, with the header Content-Type: text/csv.");
        }
        DigestInputStream file = new DigestInputStream(request.getInputStream(), DigestUtils.getSha256Digest());
        Imports.Upload upload = new Imports.Upload(file, "", encoding(encoding));
        try {
            return idempotency.answerStreamed(
                    file,
                    ImportBody.class,
                    ids::token,
                    attempt -> start(list.get(), new ImportId(attempt.intended()), upload, verified, origin));
        } catch (UncheckedIOException brokenOff) {
            throw brokenOff.getCause();
        }
    }

    private ResponseEntity<ImportBody> start(
            MailingList list, ImportId id, Imports.Upload file, boolean verified, Origin origin) {
        Imports.ImportStartResult start;
        try {
            start = imports.start(id, list.name(), file, verified, origin);
        } catch (IOException brokenOff) {
            throw new UncheckedIOException(brokenOff);
        }
        if (start instanceof Imports.ImportStartResult.Started started) {
            URI location = URI.create("/api/v1/imports/" + started.started().id());
            return ResponseEntity.accepted().location(location).body(ImportBody.of(started.started()));
        }
        if (start instanceof Imports.ImportStartResult.TooLarge tooLarge) {
            throw new RefusedCall(ProblemCode.TOO_LARGE, "The file is larger than " + tooLarge.maxBytes() + " bytes.");
        }
        if (start instanceof Imports.ImportStartResult.Workbook) {
            throw new RefusedCall(
                    ProblemCode.MEDIA_TYPE_REFUSED, "This is an Excel file. Save it as CSV and send that.");
        }
        throw start instanceof Imports.ImportStartResult.AnotherFile
                ? Idempotency.keyReused()
                : RefusedCall.noList(list.name());
    }

    private static Optional<FileEncoding> encoding(String name) {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<FileEncoding> known = FileEncoding.parse(name);
        if (known.isEmpty()) {
            String names = Arrays.stream(FileEncoding.values())
                    .map(FileEncoding::stored)
                    .collect(Collectors.joining(", "));
            throw RefusedCall.field("encoding", "one of " + names);
        }
        return known;
    }

    @GetMapping("/api/v1/imports/{id}")
    ImportBody one(@PathVariable String id) {
        return ImportBody.of(require(id));
    }

    @GetMapping("/api/v1/imports/{id}/refused")
    ResponseEntity<StreamedBody> refused(@PathVariable String id) {
        ImportId found = require(id).id();
        return Download.csv("refused-" + found + ".csv", out -> imports.writeRefused(found, out));
    }

    @GetMapping("/api/v1/lists/{list}/export")
    ResponseEntity<StreamedBody> export(MailingList list) {
        return Download.csv(list.name() + ".csv", out -> export.write(list, out));
    }

    private SubscriberImport require(String id) {
        return ImportId.parse(id)
                .flatMap(imports::find)
                .orElseThrow(() -> RefusedCall.notFound("There is no import " + id + "."));
    }

    private static boolean isCsv(@Nullable String contentType) {
        try {
            return contentType != null && Download.CSV.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
