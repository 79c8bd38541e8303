package org.azuremail.web.subscriber;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Page;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.transfer.FileEncoding;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.IdempotentForms;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.live.LiveSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

/** The pages that import subscribers from a CSV file and export them to one. Neither keeps a list in memory. */
@Controller
record ImportPages(SubscriberPageSupport support, Imports imports, SubscriberExport export, IdempotentForms forms)
        implements LiveSource {

    private static final int PAGE = 25;

    /** The most refused rows that the page shows. The file contains all of them. */
    private static final int REFUSALS = 10;

    /**
     * The form of an import.
     *
     * @param encoding the encoding of the file; empty to detect it
     */
    record Form(
            @Nullable MultipartFile file,
            @Nullable Boolean verified,
            @Nullable String encoding) {}

    @GetMapping("/imports")
    String all(@RequestParam @Nullable ImportId after, Model model) {
        Page<SubscriberImport> page = imports.latest(Optional.ofNullable(after), PAGE);
        model.addAttribute("imports", page.items());
        model.addAttribute("next", page.continuation());
        model.addAttribute("first", after == null);
        return "subscriber/imports";
    }

    @GetMapping("/subscribers/import")
    String form(@RequestParam @Nullable ListName list, Form form, Model model) {
        List<MailingList> open = support.lists().active();
        if (list == null && open.isEmpty()) {
            return "redirect:/lists";
        }
        if (list != null || open.size() == 1) {
            model.addAttribute("list", list == null ? open.get(0) : support.require(list));
        }
        model.addAttribute("lists", open);
        model.addAttribute("encodings", FileEncoding.values());
        return "subscriber/import";
    }

    @PostMapping("/subscribers/import")
    String start(
            @RequestParam ListName list,
            Form form,
            BindingResult errors,
            HttpServletRequest request,
            Principal me,
            Model model)
            throws IOException {
        MultipartFile file = form.file();
        if (file == null || file.isEmpty()) {
            errors.rejectValue("file", "error.import.file");
            return form(list, form, model);
        }
        Imports.ImportStartResult start = start(forms.ids(request), list, file, form, me);
        if (start instanceof Imports.ImportStartResult.AnotherFile) {
            start = start(forms.random(), list, file, form, me);
        }
        if (start instanceof Imports.ImportStartResult.Started started) {
            return "redirect:/subscribers/imports/" + started.started().id();
        }
        refuse(start, errors);
        return form(list, form, model);
    }

    private Imports.ImportStartResult start(IdSource ids, ListName list, MultipartFile file, Form form, Principal me)
            throws IOException {
        try (InputStream content = file.getInputStream()) {
            boolean verified = Boolean.TRUE.equals(form.verified());
            ImportId id = new ImportId(ids.token());
            return imports.start(id, list, upload(file, content, form), verified, Origin.admin(me.getName()));
        }
    }

    @GetMapping("/subscribers/imports/{id}")
    String one(@PathVariable ImportId id, Model model) {
        progress(id, model);
        return "subscriber/imported";
    }

    @GetMapping("/subscribers/imports/{id}/progress")
    String progress(@PathVariable ImportId id, Model model) {
        SubscriberImport found = require(id);
        model.addAttribute("import", found);
        LiveSource.State state = state(found);
        model.addAttribute("live", !state.over());
        model.addAttribute("refusals", state.over() ? imports.refused(id, REFUSALS) : List.of());
        model.addAttribute("version", state.version());
        return "subscriber/import-progress :: progress";
    }

    @Override
    public String topic() {
        return "import";
    }

    @Override
    public Optional<LiveSource.State> findState(String id) {
        return ImportId.parse(id).flatMap(imports::find).map(ImportPages::state);
    }

    private static LiveSource.State state(SubscriberImport subscriberImport) {
        String total = Objects.toString(subscriberImport.total(), "-");
        return new LiveSource.State(
                subscriberImport.state().stored() + "." + total + "."
                        + subscriberImport.counts().rows(),
                subscriberImport.state() != SubscriberImport.State.RUNNING);
    }

    @GetMapping("/subscribers/imports/{id}/refused")
    ResponseEntity<StreamedBody> refused(@PathVariable ImportId id) {
        ImportId found = require(id).id();
        return Download.csv("refused-rows.csv", out -> imports.writeRefused(found, out));
    }

    private SubscriberImport require(ImportId id) {
        return imports.find(id).orElseThrow(() -> new PageNotFoundException("no-import"));
    }

    @GetMapping("/subscribers/export")
    ResponseEntity<StreamedBody> export(@RequestParam ListName list) {
        MailingList found = support.require(list);
        return Download.csv(found.name() + ".csv", out -> export.write(found, out));
    }

    private static Imports.Upload upload(MultipartFile file, InputStream content, Form form) {
        String name = String.valueOf(file.getOriginalFilename());
        return new Imports.Upload(
                content,
                name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1),
                FileEncoding.parse(String.valueOf(form.encoding())));
    }

    private static void refuse(Imports.ImportStartResult start, Errors errors) {
        if (start instanceof Imports.ImportStartResult.TooLarge large) {
            FormErrors.reject(errors, "file", "error.import.too-large", large.maxBytes() / (1024 * 1024));
        } else {
            boolean workbook = start instanceof Imports.ImportStartResult.Workbook;
            errors.rejectValue("file", workbook ? "error.import.workbook" : "error.import.list-gone");
        }
    }
}
