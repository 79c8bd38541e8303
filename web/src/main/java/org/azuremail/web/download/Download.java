package org.azuremail.web.download;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Creates answers that contain a file. */
public final class Download {

    public static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

    private Download() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void write(Writer out) throws IOException;
    }

    /** Returns a file in UTF-8 that is sent while its content is read. */
    public static ResponseEntity<StreamedBody> text(MediaType type, String fileName, Content content) {
        return of(type, fileName, out -> {
            Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            content.write(writer);
            writer.flush();
        });
    }

    public static ResponseEntity<StreamedBody> csv(String fileName, Content content) {
        return text(CSV, fileName, content);
    }

    public static ResponseEntity<StreamedBody> of(MediaType type, String fileName, StreamedBody content) {
        ContentDisposition download =
                ContentDisposition.attachment().filename(fileName).build();
        return ResponseEntity.ok()
                .contentType(type)
                .header(HttpHeaders.CONTENT_DISPOSITION, download.toString())
                .body(content);
    }
}
