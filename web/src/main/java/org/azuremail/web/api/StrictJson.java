package org.azuremail.web.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Refuses JSON that is not exactly what a call accepts, such as unknown or duplicate fields and values of another type.
 */
@Configuration(proxyBeanMethods = false)
class StrictJson {

    @Bean
    JsonFactory utf8Json(ObjectProvider<JsonFactoryBuilderCustomizer> limits) {
        JsonFactoryBuilder settings = JsonFactory.builder();
        limits.orderedStream().forEach(limit -> limit.customize(settings));
        return new Utf8Json(settings);
    }

    /**
     * JSON has no charset parameter (RFC 8259, 11). With one, Spring would decode the body instead of {@link Utf8Json}.
     * The converter takes the place of Spring's: as a bean, it would come before that of texts, and write the lines of
     * event streams in quotes.
     */
    @Bean
    ServerHttpMessageConvertersCustomizer utf8Bodies(JsonMapper json) {
        return converters -> converters.withJsonConverter(new JacksonJsonHttpMessageConverter(json) {
            @Override
            protected Charset getCharset(@Nullable MediaType type) {
                return StandardCharsets.UTF_8;
            }
        });
    }

    @Bean
    JsonMapperBuilderCustomizer strictParsing() {
        return json -> json.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfigDefaults(all -> all.setAcceptBlankAsEmpty(false))
                .addModule(new SimpleModule().addDeserializer(String.class, new StrictStringDeserializer()))
                .withCoercionConfig(
                        LogicalType.Textual, text -> text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail));
    }

    /**
     * Reads JSON in UTF-8 only, with or without a byte order mark. Jackson's own decoder guesses the encoding, and
     * accepts overlong sequences and code points beyond Unicode.
     */
    private static final class Utf8Json extends JsonFactory {

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

    /** Refuses unpaired surrogates: JSON can express them, but they are not characters and cannot be stored. */
    private static final class StrictStringDeserializer extends StringDeserializer {

        @Override
        public String deserialize(JsonParser json, DeserializationContext context) {
            String text = super.deserialize(json, context);
            if (text != null && text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
                throw new UnpairedSurrogateException(json);
            }
            return text;
        }
    }

    static final class UnpairedSurrogateException extends MismatchedInputException {
        UnpairedSurrogateException(JsonParser json) {
            super(json, "half a surrogate pair", String.class);
        }
    }
}
