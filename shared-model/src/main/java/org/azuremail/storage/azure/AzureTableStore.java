package org.azuremail.storage.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.ParallelCalls;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.azure.BatchAnswerPolicy.Holder;
import org.jspecify.annotations.Nullable;

/** Stores tables in an Azure Storage account. Each call of the port is one request, apart from retries. */
final class AzureTableStore implements TableStore {

    /** The most calls made in parallel, which is enough for two pages of each of sixteen shards. */
    static final int MAX_CONCURRENT_CALLS = 32;

    private final TableServiceClient service;
    private final ParallelCalls reads = new ParallelCalls("azure reads", MAX_CONCURRENT_CALLS);
    private final Map<String, TableClient> tables = new ConcurrentHashMap<>();

    AzureTableStore(TableServiceClient service) {
        this.service = service;
    }

    @Override
    public void createTable(String table) {
        // This is the first call of a process, so its message shows which account cannot be reached.
        String what = "table " + table + " at " + service.getServiceEndpoint();
        AzureErrors.create(what, "TableAlreadyExists", table(table)::createTable);
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return AzureErrors.translated("get " + table + " " + key, () -> {
            try {
                TableEntity entity = table(table)
                        .getEntityWithResponse(key.partition(), key.row(), null, null, Context.NONE)
                        .getValue();
                return Optional.of(Entities.row(entity));
            } catch (TableServiceException e) {
                // A missing table has the same status as a missing row.
                if (AzureErrors.code(e).equals("ResourceNotFound")
                        || AzureErrors.code(e).equals("EntityNotFound")) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
        Optional<String> filter = Filters.of(range);
        if (filter.isEmpty()) {
            return new Page<>(List.of(), null);
        }
        return AzureErrors.translated("query " + table + " " + range, () -> {
            ListEntitiesOptions options = new ListEntitiesOptions().setTop(limit);
            if (!filter.get().isEmpty()) {
                options.setFilter(filter.get());
            }
            Iterator<PagedResponse<TableEntity>> pages = table(table)
                    .listEntities(options, null, Context.NONE)
                    .iterableByPage(continuation)
                    .iterator();
            return pages.hasNext() ? page(pages.next()) : new Page<>(List.of(), null);
        });
    }

    private static Page<Row> page(PagedResponse<TableEntity> page) {
        return new Page<>(page.getValue().stream().map(Entities::row).toList(), page.getContinuationToken());
    }

    @Override
    public <T> List<T> readInParallel(List<Supplier<T>> independent) {
        return reads.invokeAll(independent);
    }

    /**
     * Sends a single write as a batch of one. For Azure, both are one transaction, and every answer can be read in the
     * same way.
     */
    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        String about = "write " + table + " " + partition;
        return AzureErrors.translated(about, () -> {
            Holder holder = new Holder();
            try {
                table(table)
                        .submitTransactionWithResponse(
                                writes.stream()
                                        .map(write -> Entities.action(partition, write))
                                        .toList(),
                                null,
                                holder.context());
            } catch (RuntimeException e) {
                // The library throws on a refusal, but not always the same exception, so the service's answer decides.
                if (holder.answer().filter(WriteAnswer::refused).isEmpty()) {
                    throw e;
                }
            }
            WriteAnswer answer =
                    holder.answer().orElseThrow(() -> new IllegalStateException("the answer was not kept"));
            if (answer.refused()) {
                return answer.outcome()
                        .orElseThrow(() -> AzureErrors.refused(about, answer.status(), answer.code(), null));
            }
            if (answer.etags().size() != writes.size()) {
                throw new IllegalStateException(
                        "an answer of " + answer.etags().size() + " parts to " + writes.size() + " writes");
            }
            return new WriteResult.Written(answer.etags());
        });
    }

    private TableClient table(String name) {
        return tables.computeIfAbsent(name, service::getTableClient);
    }
}
