package org.azuremail.web.api.subscriber;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.transfer.FileEncoding;
import org.azuremail.subscription.transfer.ImportId;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.web.api.Lists;
import org.azuremail.web.api.Once;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.idempotency.CallOnce;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Subscribers as files. */
@RestController
record ImportApi(ListStore lists, Imports imports, SubscriberExport export, Once once, IdSource ids) {

    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

    /**
     * An import as far as it has come.
     *
     * @param total rows of the file, once it has been looked through
     * @param rows rows done
     * @param repeated those of the updated that are about somebody of an earlier row
     * @param smtpUtf8 rows brought in whose address takes servers that know SMTPUTF8
     * @param encoding how the file was read
     */
    record ImportBody(
            String id,
            String list,
            String state,
            @Nullable String reason,
            @Nullable String reasonCode,
            @Nullable Long total,
            long rows,
            long imported,
            long updated,
            long refused,
            long repeated,
            long smtpUtf8,
            boolean verified,
            String encoding,
            Instant startedAt,
            @Nullable Instant finishedAt) {

        static ImportBody of(SubscriberImport some) {
            SubscriberImport.Counts counts = some.counts();
            return new ImportBody(
                    some.id().value(),
                    some.list().value(),
                    some.state().stored(),
                    some.reason().none() ? null : some.reason().words(),
                    some.reason().none() ? null : some.reason().code(),
                    some.total(),
                    counts.rows(),
                    counts.imported(),
                    counts.updated(),
                    counts.refused(),
                    counts.repeated(),
                    counts.smtpUtf8(),
                    some.verified(),
                    some.file().encoding().stored(),
                    some.startedAt(),
                    some.finishedAt());
        }
    }

    /** The file streams through into the storage; it is never held here. */
    @PostMapping("/api/v1/lists/{list}/imports")
    ResponseEntity<ImportBody> start(
            @PathVariable String list,
            @RequestParam(defaultValue = "false") boolean verified,
            @RequestParam(defaultValue = "") String encoding,
            @AuthenticationPrincipal ApiKey key,
            HttpServletRequest request)
            throws IOException {
        MailingList there = Lists.require(lists, list);
        requireCsv(request.getContentType());
        DigestInputStream file = new DigestInputStream(request.getInputStream(), CallOnce.sha256());
        Imports.Upload upload = new Imports.Upload(file, "", encoding(encoding));
        Origin origin = Origin.api(key.label(), request.getRemoteAddr());
        try {
            return once.answer(
                    once.call(request, key, file),
                    ImportBody.class,
                    ids::token,
                    attempt -> start(there, new ImportId(attempt.intended()), upload, verified, origin));
        } catch (UncheckedIOException brokenOff) {
            throw brokenOff.getCause();
        }
    }

    private ResponseEntity<ImportBody> start(
            MailingList list, ImportId id, Imports.Upload file, boolean verified, Origin origin) {
        Imports.Start start;
        try {
            start = imports.start(id, list.name(), file, verified, origin);
        } catch (IOException brokenOff) {
            throw new UncheckedIOException(brokenOff);
        }
        if (start instanceof Imports.Start.Started started) {
            URI location = URI.create("/api/v1/imports/" + started.started().id());
            return ResponseEntity.accepted().location(location).body(ImportBody.of(started.started()));
        }
        if (start instanceof Imports.Start.TooLarge tooLarge) {
            throw RefusedCall.of(
                    HttpStatus.CONTENT_TOO_LARGE,
                    ProblemCode.TOO_LARGE,
                    "The file is larger than " + tooLarge.maxBytes() + " bytes.");
        }
        if (start instanceof Imports.Start.Workbook) {
            throw RefusedCall.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    ProblemCode.MEDIA_TYPE_REFUSED,
                    "This is an Excel file. Save it as CSV and send that.");
        }
        throw start instanceof Imports.Start.AnotherFile ? Once.another() : Lists.unknown(list.name());
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
            throw RefusedCall.fields(List.of(new RefusedCall.FieldProblem("encoding", "one of " + names)));
        }
        return known;
    }

    @GetMapping("/api/v1/imports/{id}")
    ImportBody one(@PathVariable String id) {
        return ImportBody.of(require(id));
    }

    @GetMapping("/api/v1/imports/{id}/refused")
    ResponseEntity<StreamingResponseBody> refused(@PathVariable String id) {
        ImportId found = require(id).id();
        return csv("refused-" + found, out -> imports.writeRefused(found, out));
    }

    @GetMapping("/api/v1/lists/{list}/export")
    ResponseEntity<StreamingResponseBody> export(@PathVariable String list) {
        MailingList there = Lists.require(lists, list);
        return csv(there.name().value(), out -> export.write(there, out));
    }

    /** Something that writes a file as it reads it. */
    @FunctionalInterface
    private interface FileWriter {
        void write(Writer out) throws IOException;
    }

    private static ResponseEntity<StreamingResponseBody> csv(String name, FileWriter file) {
        return ResponseEntity.ok()
                .contentType(CSV)
                .header("Content-Disposition", "attachment; filename=\"" + name + ".csv\"")
                .body(out -> {
                    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                    file.write(writer);
                    writer.flush();
                });
    }

    private SubscriberImport require(String id) {
        return ImportId.parse(id)
                .flatMap(imports::find)
                .orElseThrow(() -> RefusedCall.notFound("There is no import " + id + "."));
    }

    private static void requireCsv(@Nullable String contentType) {
        if (contentType == null || !isCsv(contentType)) {
            throw RefusedCall.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    ProblemCode.MEDIA_TYPE_REFUSED,
                    "Send the file as the body, with the header Content-Type: text/csv.");
        }
    }

    private static boolean isCsv(String contentType) {
        try {
            return CSV.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
