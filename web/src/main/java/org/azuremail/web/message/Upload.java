package org.azuremail.web.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.web.multipart.MultipartFile;

/** A file that was uploaded, or else the text that was typed. */
final class Upload {

    /** No more is held in memory, whatever is uploaded; the check of the bodies refuses it. */
    private static final int MORE_THAN_ANY_BODY = 10 * 1024 * 1024 + 1;

    private Upload() {}

    static boolean isPresent(@Nullable MultipartFile file) {
        return file != null && !file.isEmpty();
    }

    /** The file, or else what was typed; {@code null} when there is neither. */
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

    /** The same as text; what was typed when the file is none. */
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
