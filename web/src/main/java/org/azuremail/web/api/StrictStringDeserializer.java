package org.azuremail.web.api;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.type.LogicalType;

/** Refuses unpaired surrogates: JSON can express them, but they are not characters and cannot be stored. */
final class StrictStringDeserializer extends StdScalarDeserializer<String> {

    static final class UnpairedSurrogateException extends MismatchedInputException {
        UnpairedSurrogateException(JsonParser json) {
            super(json, "half a surrogate pair", String.class);
        }
    }

    StrictStringDeserializer() {
        super(String.class);
    }

    @Override
    public LogicalType logicalType() {
        return LogicalType.Textual;
    }

    @Override
    public String deserialize(JsonParser json, DeserializationContext context) {
        String text = StringDeserializer.instance.deserialize(json, context);
        if (text != null && text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
            throw new UnpairedSurrogateException(json);
        }
        return text;
    }
}
