package org.azuremail.web.download;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;

/**
 * Writes bodies on the thread of their request. Spring's {@code StreamingResponseBody} uses one of a few other threads,
 * which writes the security headers at the same time as the request's thread.
 */
@Component
final class StreamedBodyWriter extends AbstractHttpMessageConverter<StreamedBody> {

    StreamedBodyWriter() {
        super(MediaType.ALL);
    }

    @Override
    protected boolean supports(Class<?> type) {
        return StreamedBody.class.isAssignableFrom(type);
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected StreamedBody readInternal(Class<? extends StreamedBody> type, HttpInputMessage request) {
        throw new HttpMessageNotReadableException("only written", request);
    }

    @Override
    protected void writeInternal(StreamedBody body, HttpOutputMessage answer) throws IOException {
        body.writeTo(answer.getBody());
    }
}
