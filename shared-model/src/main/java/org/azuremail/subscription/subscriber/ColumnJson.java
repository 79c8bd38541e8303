package org.azuremail.subscription.subscriber;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.storage.StorageException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** The JSON inside the columns of subscribers and imports. */
public final class ColumnJson {

    /** Each thread keeps its own buffers: taking them from a pool costs twice as much as reading a short column. */
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .recyclerPool(JsonRecyclerPools.threadLocalPool())
                    .build())
            .build();

    private static final ObjectReader DECLARATIONS = MAPPER.readerFor(new TypeReference<List<Declaration>>() {});
    private static final ObjectReader CELLS = MAPPER.readerFor(new TypeReference<List<String>>() {});

    private ColumnJson() {}

    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    static List<Declaration> declarations(String json) {
        return read(DECLARATIONS, json);
    }

    public static List<String> cells(String json) {
        return read(CELLS, json);
    }

    /** Reads attributes token by token, since a message to a million recipients reads two million of them. */
    public static Map<String, String> attributes(String json) {
        try (JsonParser in = MAPPER.createParser(json)) {
            Map<String, String> attributes = new TreeMap<>();
            boolean whole = in.nextToken() == JsonToken.START_OBJECT;
            for (String name = in.nextName(); name != null && whole; name = in.nextName()) {
                whole = in.nextToken().isScalarValue() && in.currentToken() != JsonToken.VALUE_NULL;
                attributes.put(name, in.getString());
            }
            if (!whole || in.currentToken() != JsonToken.END_OBJECT) {
                throw new StorageException(
                        StorageException.Reason.CORRUPT, "attributes are no JSON object of texts", null);
            }
            return attributes;
        } catch (JacksonException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "a column of JSON", e);
        }
    }

    private static <T> T read(ObjectReader reader, String json) {
        try {
            return reader.readValue(json);
        } catch (JacksonException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "a column of JSON", e);
        }
    }
}
