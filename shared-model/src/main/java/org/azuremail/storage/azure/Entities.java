package org.azuremail.storage.azure;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
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
import org.azuremail.storage.Write;

/**
 * Converts writes to actions on Azure's entities, and entities to rows. If JSON does not distinguish the type of a
 * value, the type is named beside the value.
 */
final class Entities {

    private static final String TYPE = "@odata.type";
    private static final String ETAG = "odata.etag";
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("PartitionKey", "RowKey", "Timestamp");

    private Entities() {}

    /**
     * Returns the action for a write. A delete of any version has a condition that every row meets, so that a missing
     * row is reported.
     */
    static TableTransactionAction action(String partition, Write write) {
        TableEntity entity = new TableEntity(partition, write.rowKey());
        write.values().forEach((name, value) -> put(entity, name, value));
        if (write instanceof Write.Replace replace) {
            entity.addProperty(ETAG, replace.etag());
            return new TableTransactionAction(TableTransactionActionType.UPDATE_REPLACE, entity, true);
        }
        if (write instanceof Write.Delete delete) {
            entity.addProperty(ETAG, delete.etag());
            return new TableTransactionAction(TableTransactionActionType.DELETE, entity, true);
        }
        return new TableTransactionAction(
                write instanceof Write.Insert
                        ? TableTransactionActionType.CREATE
                        : TableTransactionActionType.UPSERT_REPLACE,
                entity);
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

    /** @throws StorageException CORRUPT if a property has a type that {@link Values} do not support */
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
