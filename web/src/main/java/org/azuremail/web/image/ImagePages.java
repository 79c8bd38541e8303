package org.azuremail.web.image;

import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.util.List;
import org.azuremail.image.Image;
import org.azuremail.image.Images;
import org.azuremail.storage.Page;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

/** The pages on which admins upload images, change their alternative texts, copy their addresses and delete them. */
@Controller
record ImagePages(Images images) {

    private static final int PAGE = 24;

    /** The number of images that the menu of the composer offers. */
    private static final int LATEST = 12;

    /** The file and the text as sent. The form of a stored image has no file. */
    record Form(@Nullable MultipartFile file, @Nullable String alt) {

        String text(Errors errors) {
            String text = FormErrors.stripped(alt);
            if (text.isEmpty()) {
                errors.rejectValue("alt", "error.image.alt");
            } else {
                FormErrors.line(errors, "alt", text);
            }
            return text;
        }

        void requireFile(Errors errors) {
            FormErrors.file(errors, "file", file);
            if (file == null || (file.isEmpty() && !errors.hasFieldErrors("file"))) {
                errors.rejectValue("file", "error.image.none");
            }
        }

        byte[] content() throws IOException {
            try (InputStream content = file == null ? InputStream.nullInputStream() : file.getInputStream()) {
                return content.readNBytes(Images.MAX_UPLOAD + 1);
            }
        }

        String name() {
            return file == null ? "" : FormErrors.text(file.getOriginalFilename());
        }
    }

    @GetMapping("/images")
    String all(@RequestParam @Nullable String cursor, Model model) {
        Page<Image> page = PageCursor.read("images", cursor, from -> images.page(PAGE, from));
        model.addAttribute("images", views(page));
        model.addAttribute("next", page.continuation());
        model.addAttribute("first", cursor == null);
        return "image/all";
    }

    /** Shows the newest images, for the menu of the composer. */
    @GetMapping("/images/latest")
    String latest(Model model) {
        model.addAttribute("images", views(images.page(LATEST, null)));
        return "image/latest :: latest";
    }

    private List<ImageView> views(Page<Image> page) {
        return page.items().stream().map(this::view).toList();
    }

    private ImageView view(Image image) {
        return new ImageView(image, images.address(image));
    }

    @GetMapping("/images/new")
    String formForNew(Model model) {
        model.addAttribute("form", new Form(null, ""));
        return "image/new";
    }

    @PostMapping("/images/new")
    String add(@ModelAttribute("form") Form form, BindingResult errors, Principal me) {
        form.requireFile(errors);
        String alt = form.text(errors);
        if (errors.hasFieldErrors("alt") && !errors.hasFieldErrors("file")) {
            errors.rejectValue("file", "error.image.again");
        }
        if (errors.hasErrors()) {
            return "image/new";
        }
        Images.Added added = images.add(form::content, form.name(), alt, me.getName());
        if (added instanceof Images.Added.Refused refused) {
            FormErrors.reject(
                    errors,
                    "file",
                    "error.image." + refused.why().name(),
                    refused.why().limits().toArray());
            return "image/new";
        }
        return Notice.done("image-added", alt).on("/images");
    }

    @GetMapping("/images/{id}/edit")
    String formForChange(@PathVariable String id, Model model) {
        Versioned<Image> stored = require(id);
        model.addAttribute("form", new Form(null, stored.value().alt()));
        return edit(stored, model);
    }

    @PostMapping("/images/{id}/edit")
    String change(
            @PathVariable String id,
            @ModelAttribute("form") Form form,
            BindingResult errors,
            @RequestParam String etag,
            Model model) {
        Versioned<Image> stored = require(id);
        String alt = form.text(errors);
        if (errors.hasErrors()) {
            return edit(new Versioned<>(stored.value(), etag), model);
        }
        Saved<Image> saved = images.changeAlt(stored, alt, etag);
        if (saved instanceof Saved.Conflict<Image> conflict) {
            FormErrors.current(errors, "alt", conflict.current().value().alt(), alt);
            errors.reject("conflict");
            return edit(conflict.current(), model);
        }
        if (saved instanceof Saved.Missing) {
            throw gone(id);
        }
        return Notice.done("image-saved").on("/images");
    }

    private String edit(Versioned<Image> stored, Model model) {
        model.addAttribute("one", view(stored.value()));
        model.addAttribute("etag", stored.etag());
        return "image/edit";
    }

    @GetMapping("/images/{id}/delete")
    String askToDelete(@PathVariable String id, Model model) {
        return new Question("delete-image", "/images/" + id + "/delete", "/images")
                .about(require(id).value().alt())
                .ask(model, "images");
    }

    @PostMapping("/images/{id}/delete")
    String delete(@PathVariable String id) {
        images.delete(id);
        return Notice.done("image-deleted").on("/images");
    }

    private Versioned<Image> require(String id) {
        return images.find(id).orElseThrow(() -> gone(id));
    }

    private static PageNotFoundException gone(String id) {
        return new PageNotFoundException("no-image", id);
    }
}
