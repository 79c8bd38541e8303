package org.azuremail.web.api;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.type.LogicalType;

/** Texts of callers: JSON can say half a surrogate pair, which is no character and which no storage keeps. */
final class WholeText extends StdScalarDeserializer<String> {

    /** A text that ends, or goes on, in the middle of a character. */
    static final class HalfCharacter extends MismatchedInputException {
        HalfCharacter(JsonParser json) {
            super(json, "half a surrogate pair", String.class);
        }
    }

    WholeText() {
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
            throw new HalfCharacter(json);
        }
        return text;
    }
}
