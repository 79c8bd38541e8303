package org.azuremail.storage.azure;

import com.azure.data.tables.models.TableEntity;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.Values;

/** Rows as entities of Azure's tables and back. A type that JSON does not distinguish is named beside its value. */
final class Entities {

    private static final String TYPE = "@odata.type";
    private static final String ETAG = "odata.etag";
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");

    private Entities() {}

    static TableEntity entity(Key key, Values values) {
        TableEntity entity = new TableEntity(key.partition(), key.row());
        values.forEach((name, value) -> put(entity, name, value));
        return entity;
    }

    /** With the ETag that the row must still be at. */
    static TableEntity at(String etag, TableEntity entity) {
        return entity.addProperty(ETAG, etag);
    }

    private static void put(TableEntity entity, String name, Object value) {
        if (value instanceof Instant instant) {
            entity.addProperty(name + TYPE, "Edm.DateTime").addProperty(name, instant.toString());
        } else if (value instanceof Double number) {
            Object json = Double.isFinite(number) ? number : number.toString();
            entity.addProperty(name + TYPE, "Edm.Double").addProperty(name, json);
        } else {
            entity.addProperty(name, value);
        }
    }

    /** @throws StorageException CORRUPT when a property has a type that {@link Values} do not have */
    static Row row(TableEntity entity) {
        Values.Builder values = Values.builder();
        for (Map.Entry<String, Object> property : entity.getProperties().entrySet()) {
            String name = property.getKey();
            if (!SYSTEM_PROPERTIES.contains(name) && name.indexOf('@') < 0 && name.indexOf('.') < 0) {
                values.put(name, value(name, property.getValue()));
            }
        }
        return new Row(new Key(entity.getPartitionKey(), entity.getRowKey()), entity.getETag(), values.build());
    }

    private static Object value(String name, Object value) {
        if (value instanceof OffsetDateTime time) {
            return time.toInstant();
        }
        if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC);
        }
        if (value instanceof String
                || value instanceof Boolean
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Double
                || value instanceof byte[]) {
            return value;
        }
        throw new StorageException(
                Reason.CORRUPT, "property " + name + " is a " + value.getClass().getSimpleName(), null);
    }
}
