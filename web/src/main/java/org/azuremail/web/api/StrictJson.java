package org.azuremail.web.api;

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
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
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
}
