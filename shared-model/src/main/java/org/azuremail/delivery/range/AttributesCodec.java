package org.azuremail.delivery.range;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Attributes in one property, as a JSON object. */
final class AttributesCodec {

    private static final TypeReference<Map<String, String>> MAP = new TypeReference<>() {};
    private static final ObjectReader READER = JsonMapper.shared().readerFor(MAP);
    private static final ObjectWriter WRITER = JsonMapper.shared().writerFor(MAP);

    private AttributesCodec() {}

    static Map<String, String> read(String text) {
        return text.isEmpty() ? Map.of() : READER.readValue(text);
    }

    static String write(Map<String, String> attributes) {
        return WRITER.writeValueAsString(attributes);
    }
}
