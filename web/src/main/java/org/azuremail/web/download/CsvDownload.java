package org.azuremail.web.download;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Answers with a CSV file that is sent while its content is read. */
public final class CsvDownload {

    public static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

    private CsvDownload() {}

    @FunctionalInterface
    public interface Content {
        void write(Writer out) throws IOException;
    }

    public static ResponseEntity<StreamingResponseBody> of(String fileName, Content content) {
        return ofBytes(fileName, out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            content.write(writer);
            writer.flush();
        });
    }

    /** The same for content that is UTF-8 already. */
    public static ResponseEntity<StreamingResponseBody> ofBytes(String fileName, StreamingResponseBody content) {
        ContentDisposition download =
                ContentDisposition.attachment().filename(fileName).build();
        return ResponseEntity.ok()
                .contentType(CSV)
                .header(HttpHeaders.CONTENT_DISPOSITION, download.toString())
                .body(content);
    }
}
