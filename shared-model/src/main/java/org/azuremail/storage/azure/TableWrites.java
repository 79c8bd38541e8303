package org.azuremail.storage.azure;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.azuremail.storage.Key;
import org.azuremail.storage.StorageLimits;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.azure.RawAnswers.Holder;

/** Sends writes, one alone or several as a batch, and returns their results. */
final class TableWrites {

    private static final int CERTAINLY_ONE_PIECE = 8 * 1024;

    private TableWrites() {}

    /**
     * Sends a checked batch.
     *
     * @param about for the message of an exception
     * @throws RuntimeException of the library, when there was no answer
     */
    static WriteResult send(String about, TableClient table, String partition, List<Write> writes) {
        Holder holder = new Holder();
        try {
            if (writes.size() == 1 && !isLongText(partition, writes.get(0))) {
                sendOne(table, partition, writes.get(0), holder);
            } else {
                table.submitTransactionWithResponse(
                        writes.stream().map(write -> action(partition, write)).toList(), null, holder.context());
            }
        } catch (RuntimeException e) {
            // The library throws on a refusal, and on some refusals something else: the service's answer decides.
            WriteAnswer answer = holder.answer().orElseThrow(() -> e);
            if (!answer.refused()) {
                throw e;
            }
        }
        WriteAnswer answer = holder.answer().orElseThrow(() -> new IllegalStateException("the answer was not kept"));
        if (answer.refused()) {
            return answer.outcome().orElseThrow(() -> AzureErrors.refused(about, answer.status(), answer.code(), null));
        }
        if (answer.etags().size() != writes.size()) {
            throw new IllegalStateException(
                    "an answer of " + answer.etags().size() + " parts to " + writes.size() + " writes");
        }
        return new WriteResult.Written(answer.etags());
    }

    /**
     * Azurite reads the body of a single write piece by piece and breaks a character of several bytes that crosses an edge; the
     * body of a batch it joins first. For Azure both are one transaction.
     */
    private static boolean isLongText(String partition, Write write) {
        return StorageLimits.bytesInBatch(partition, write) > CERTAINLY_ONE_PIECE
                && write.values().asMap().values().stream()
                        .anyMatch(value -> value instanceof String text && !isAscii(text));
    }

    private static boolean isAscii(String text) {
        return StandardCharsets.US_ASCII.newEncoder().canEncode(text);
    }

    private static void sendOne(TableClient table, String partition, Write write, Holder holder) {
        TableEntity entity = entity(partition, write);
        if (write instanceof Write.Insert) {
            table.createEntityWithResponse(entity, null, holder.context());
        } else if (write instanceof Write.Upsert) {
            table.upsertEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, null, holder.context());
        } else if (write instanceof Write.Replace) {
            table.updateEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, true, null, holder.context());
        } else {
            table.deleteEntityWithResponse(entity, true, null, holder.context());
        }
    }

    private static TableTransactionAction action(String partition, Write write) {
        TableEntity entity = entity(partition, write);
        if (write instanceof Write.Insert) {
            return new TableTransactionAction(TableTransactionActionType.CREATE, entity);
        }
        if (write instanceof Write.Upsert) {
            return new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, entity);
        }
        return new TableTransactionAction(
                write instanceof Write.Replace
                        ? TableTransactionActionType.UPDATE_REPLACE
                        : TableTransactionActionType.DELETE,
                entity,
                true);
    }

    /** A delete of any version has the condition that every row meets, so that a missing row is noticed. */
    private static TableEntity entity(String partition, Write write) {
        TableEntity entity = Entities.entity(new Key(partition, write.rowKey()), write.values());
        if (write instanceof Write.Replace replace) {
            return Entities.at(replace.etag(), entity);
        }
        return write instanceof Write.Delete delete ? Entities.at(delete.etag(), entity) : entity;
    }
}
