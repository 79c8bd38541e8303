package org.azuremail.web.api.message;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.Principal;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.image.Image;
import org.azuremail.image.ImageRefusal;
import org.azuremail.image.Images;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The images of messages. */
@RestController
@RequestMapping("/api/v1/images")
record ImageApi(Images images, MessageSourceAccessor texts) {

    record AltBody(@Nullable String alt) {}

    record ImageBody(String id, String url, String name, String alt, int width, int height, int bytes, Instant at) {}

    @GetMapping
    Items<ImageBody> all(Paging paging) {
        return paging.read(images::page, this::body);
    }

    /** Stores the image in the body. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ImageBody add(
            HttpServletRequest request,
            @RequestParam @Nullable String alt,
            @RequestParam(defaultValue = "") String name,
            Principal me)
            throws IOException {
        String text = text(alt);
        Images.Added added = add(request.getInputStream(), name, text, me.getName());
        if (added instanceof Images.Added.Refused no) {
            throw new RefusedCall(
                    code(no.why()),
                    texts.getMessage(
                            "error.image." + no.why().name(), no.why().limits().toArray()));
        }
        return body(((Images.Added.Done) added).image());
    }

    /** The body is on disk while it arrives and while it waits for others, because several in memory are too much. */
    private Images.Added add(InputStream body, String name, String alt, String by) throws IOException {
        Path file = Files.createTempFile("azuremail-image", null);
        try {
            Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
            return images.add(() -> content(file), name, alt, by);
        } finally {
            Files.delete(file);
        }
    }

    private static byte[] content(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            return content.readNBytes(Images.MAX_UPLOAD + 1);
        }
    }

    private static ProblemCode code(ImageRefusal why) {
        return switch (why) {
            case TOO_LARGE -> ProblemCode.TOO_LARGE;
            case FULL -> ProblemCode.STATE_FORBIDS;
            default -> ProblemCode.MEDIA_TYPE_REFUSED;
        };
    }

    @PatchMapping("/{id}")
    ImageBody change(@PathVariable String id, @RequestBody AltBody body) {
        String alt = text(body.alt());
        return ConditionalWrites.retry("image " + id, () -> {
            Versioned<Image> read = images.find(id).orElseThrow(() -> none(id));
            return images.changeAlt(read, alt, read.etag()).done().map(saved -> body(saved.value()));
        });
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id) {
        images.delete(id);
    }

    private static String text(@Nullable String alt) {
        return RequestFields.require(
                "alt",
                alt,
                typed -> Optional.of(typed.strip()).filter(MailingList::isLine),
                "This is one line of at most " + MailingList.MAX_LINE + " characters, without control characters.");
    }

    private static RefusedCall none(String id) {
        return RefusedCall.notFound("There is no image " + id + ".");
    }

    private ImageBody body(Image image) {
        return new ImageBody(
                image.id(),
                images.address(image),
                image.name(),
                image.alt(),
                image.width(),
                image.height(),
                image.bytes(),
                image.at());
    }
}
