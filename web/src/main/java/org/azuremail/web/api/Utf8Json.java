package org.azuremail.web.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/**
 * Reads JSON in UTF-8 only, with or without a byte order mark. Jackson's own decoder guesses the encoding, and accepts
 * overlong sequences and code points beyond Unicode.
 */
final class Utf8Json extends JsonFactory {

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    Utf8Json(JsonFactoryBuilder settings) {
        super(settings);
    }

    @Override
    protected JsonParser _createParser(ObjectReadContext context, IOContext io, InputStream bytes) {
        try {
            Reader text = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
            text.mark(1);
            if (text.read() != BYTE_ORDER_MARK) {
                text.reset();
            }
            return _createParser(context, io, text);
        } catch (IOException failure) {
            throw _wrapIOFailure(failure);
        }
    }
}
