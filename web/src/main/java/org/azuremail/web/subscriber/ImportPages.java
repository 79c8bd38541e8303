package org.azuremail.web.subscriber;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.transfer.ImportId;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.web.layout.NotHere;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Subscribers from a CSV file and into one. Neither way holds a list in memory. */
@Controller
class ImportPages {

    private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

    record Form(@Nullable MultipartFile file, @Nullable Boolean verified) {

        Form {
            verified = Boolean.TRUE.equals(verified);
        }
    }

    /** Something that writes a file as it reads it. */
    @FunctionalInterface
    private interface FileWriter {
        void write(Writer out) throws IOException;
    }

    private final SubscriberDesk desk;
    private final Imports imports;
    private final SubscriberExport export;

    ImportPages(SubscriberDesk desk, Imports imports, SubscriberExport export) {
        this.desk = desk;
        this.imports = imports;
        this.export = export;
    }

    @GetMapping("/subscribers/import")
    String form(@RequestParam ListName list, @ModelAttribute("form") Form form, Model model) {
        model.addAttribute("list", desk.require(list));
        return "subscriber/import";
    }

    @PostMapping("/subscribers/import")
    String start(
            @RequestParam ListName list,
            @ModelAttribute("form") Form form,
            BindingResult errors,
            Principal me,
            Model model)
            throws IOException {
        MultipartFile file = form.file();
        if (file == null || file.isEmpty()) {
            errors.rejectValue("file", "missing", "Please choose a CSV file that is not empty.");
            return form(list, form, model);
        }
        try (InputStream content = file.getInputStream()) {
            boolean verified = Boolean.TRUE.equals(form.verified());
            Imports.Start start = imports.start(list, content, verified, Origin.admin(me.getName()));
            if (start instanceof Imports.Start.Started started) {
                return "redirect:/subscribers/imports/" + started.started().id();
            }
            errors.rejectValue("file", "refused", reason(start));
        }
        return form(list, form, model);
    }

    @GetMapping("/subscribers/imports/{id}")
    String one(@PathVariable ImportId id, Model model) {
        progress(id, model);
        return "subscriber/imported";
    }

    /** The part of the page that changes while rows are done. */
    @GetMapping("/subscribers/imports/{id}/progress")
    String progress(@PathVariable ImportId id, Model model) {
        SubscriberImport found =
                imports.find(id).orElseThrow(() -> new NotHere("This import is gone: it is too long ago."));
        model.addAttribute("import", found);
        model.addAttribute("live", found.state() == SubscriberImport.State.RUNNING);
        return "subscriber/import-progress :: progress";
    }

    @GetMapping("/subscribers/imports/{id}/refused")
    ResponseEntity<StreamingResponseBody> refused(@PathVariable ImportId id) {
        ImportId found = imports.find(id)
                .map(SubscriberImport::id)
                .orElseThrow(() -> new NotHere("This import is gone: it is too long ago."));
        return csv("refused-rows.csv", out -> imports.writeRefused(found, out));
    }

    @GetMapping("/subscribers/export")
    ResponseEntity<StreamingResponseBody> export(@RequestParam ListName list) {
        MailingList found = desk.require(list);
        return csv(found.name() + ".csv", out -> export.write(found, out));
    }

    private static String reason(Imports.Start start) {
        return start instanceof Imports.Start.TooLarge large
                ? "The file is larger than " + large.maxBytes() / (1024 * 1024) + " MB. Please split it."
                : "This list is gone, or it is being deleted.";
    }

    private static ResponseEntity<StreamingResponseBody> csv(String name, FileWriter file) {
        ContentDisposition download =
                ContentDisposition.attachment().filename(name).build();
        return ResponseEntity.ok()
                .contentType(CSV)
                .header(HttpHeaders.CONTENT_DISPOSITION, download.toString())
                .body(out -> {
                    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                    file.write(writer);
                    writer.flush();
                });
    }
}
