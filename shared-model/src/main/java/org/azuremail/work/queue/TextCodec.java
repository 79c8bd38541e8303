package org.azuremail.work.queue;

import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns a value into text and back.
 *
 * @param reader returns the value of a text; throws an exception if it cannot read the text
 */
public record TextCodec<T>(Function<T, String> writer, Function<String, T> reader) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public static <T> TextCodec<T> json(Class<T> type) {
        return new TextCodec<>(JSON::writeValueAsString, text -> fromJson(text, type));
    }

    private static <T> T fromJson(String text, Class<T> type) {
        try {
            T value = JSON.readValue(text, type);
            if (value == null) {
                throw new IllegalArgumentException("null is no " + type.getSimpleName());
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
