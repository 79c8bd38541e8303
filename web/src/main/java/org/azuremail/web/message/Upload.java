package org.azuremail.web.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.azuremail.content.MessageBodies;
import org.jspecify.annotations.Nullable;
import org.springframework.web.multipart.MultipartFile;

/** The content of a form field: an uploaded file, or else the typed text. */
final class Upload {

    /** The most bytes of an upload held in memory; this is more than the check of the bodies accepts. */
    private static final int MORE_THAN_ANY_BODY = (int) MessageBodies.MAX_BODY.toBytes() + 1;

    private Upload() {}

    static boolean isPresent(@Nullable MultipartFile file) {
        return file != null && !file.isEmpty();
    }

    /** Returns the file, or else the typed text; {@code null} if both are missing. */
    static byte @Nullable [] bytes(@Nullable MultipartFile file, @Nullable String typed) {
        if (file != null && !file.isEmpty()) {
            return content(file);
        }
        return typed == null ? null : typed.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] content(MultipartFile file) {
        try (InputStream upload = file.getInputStream()) {
            return upload.readNBytes(MORE_THAN_ANY_BODY);
        } catch (IOException e) {
            throw new UncheckedIOException("upload broke off", e);
        }
    }

    /** Returns the file as text, or the typed text if the file is missing or not UTF-8. */
    static @Nullable String readable(@Nullable MultipartFile file, @Nullable String typed) {
        if (file == null || file.isEmpty()) {
            return typed;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content(file)))
                    .toString();
        } catch (CharacterCodingException notText) {
            return typed;
        }
    }
}
