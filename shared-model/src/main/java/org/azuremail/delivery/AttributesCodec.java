package org.azuremail.delivery;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Attributes in one property, as a JSON object. */
final class AttributesCodec {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TypeReference<Map<String, String>> MAP = new TypeReference<>() {};

    private AttributesCodec() {}

    static Map<String, String> read(String text) {
        return text.isEmpty() ? Map.of() : JSON.readValue(text, MAP);
    }

    static String write(Map<String, String> attributes) {
        return JSON.writeValueAsString(attributes);
    }
}
