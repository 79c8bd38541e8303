package org.azuremail.storage.azure;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.azuremail.storage.Key;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageLimits;
import org.azuremail.storage.Values;
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
     * @throws RuntimeException of the library, when there was no answer or none that is an outcome
     */
    static WriteResult send(TableClient table, String partition, List<Write> writes) {
        Holder holder = new Holder();
        try {
            if (writes.size() == 1 && !isLongText(partition, writes.get(0))) {
                sendOne(table, partition, writes.get(0), holder);
            } else {
                table.submitTransactionWithResponse(
                        writes.stream().map(write -> action(partition, write)).toList(), null, holder.context());
            }
        } catch (RuntimeException e) {
            // The library throws on a refusal, and on some refusals something else: what the service said of the rows
            // counts. Any other answer may follow a try that got no answer: the exception knows.
            return holder.answer().flatMap(WriteAnswer::outcome).orElseThrow(() -> e);
        }
        return outcome(holder.answer().orElseThrow(() -> new IllegalStateException("the answer was not kept")), writes);
    }

    /** A delete's refusal is swallowed by the library. */
    private static WriteResult outcome(WriteAnswer answer, List<Write> writes) {
        if (answer.refused()) {
            return answer.outcome()
                    .orElseThrow(() -> new StorageException(
                            AzureErrors.reason(answer.status()),
                            "the write was answered with HTTP " + answer.status() + " " + answer.code(),
                            null));
        }
        if (answer.etags().size() != writes.size()) {
            throw new IllegalStateException(
                    "an answer of " + answer.etags().size() + " parts to " + writes.size() + " writes");
        }
        return new WriteResult.Written(answer.etags());
    }

    /**
     * Azurite reads the body of a single write piece by piece and breaks a character of several bytes that lies on an
     * edge; that of a batch it puts together first. For Azure both are one transaction.
     */
    private static boolean isLongText(String partition, Write write) {
        return StorageLimits.bytesInBatch(partition, write) > CERTAINLY_ONE_PIECE
                && entity(partition, write).getProperties().values().stream()
                        .anyMatch(value -> value instanceof String text && !isAscii(text));
    }

    private static boolean isAscii(String text) {
        return StandardCharsets.US_ASCII.newEncoder().canEncode(text);
    }

    private static void sendOne(TableClient table, String partition, Write write, Holder holder) {
        if (write instanceof Write.Insert) {
            table.createEntityWithResponse(entity(partition, write), null, holder.context());
        } else if (write instanceof Write.Upsert) {
            table.upsertEntityWithResponse(
                    entity(partition, write), TableEntityUpdateMode.REPLACE, null, holder.context());
        } else if (write instanceof Write.Replace) {
            table.updateEntityWithResponse(
                    entity(partition, write), TableEntityUpdateMode.REPLACE, true, null, holder.context());
        } else {
            table.deleteEntityWithResponse(entity(partition, write), true, null, holder.context());
        }
    }

    private static TableTransactionAction action(String partition, Write write) {
        TableTransactionActionType type = write instanceof Write.Insert
                ? TableTransactionActionType.CREATE
                : write instanceof Write.Upsert
                        ? TableTransactionActionType.UPSERT_REPLACE
                        : write instanceof Write.Replace
                                ? TableTransactionActionType.UPDATE_REPLACE
                                : TableTransactionActionType.DELETE;
        boolean conditional = write instanceof Write.Replace || write instanceof Write.Delete;
        return new TableTransactionAction(type, entity(partition, write), conditional);
    }

    /** A delete of whatever is there has the condition that every row meets, so that a missing one shows. */
    private static TableEntity entity(String partition, Write write) {
        Key key = new Key(partition, write.rowKey());
        if (write instanceof Write.Insert insert) {
            return Entities.entity(key, insert.values());
        }
        if (write instanceof Write.Upsert upsert) {
            return Entities.entity(key, upsert.values());
        }
        if (write instanceof Write.Replace replace) {
            return Entities.entity(key, replace.values(), replace.etag());
        }
        return Entities.entity(key, Values.none(), ((Write.Delete) write).etag());
    }
}
