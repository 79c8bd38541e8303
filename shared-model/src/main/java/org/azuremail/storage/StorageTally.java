package org.azuremail.storage;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.azuremail.storage.StorageCalls.Count;
import org.azuremail.storage.StorageCalls.Kind;
import org.azuremail.storage.StorageCalls.Store;

/** The count of one kind of calls, and its meters. Safe for use from many threads. */
final class StorageTally {

    private final Kind kind;
    private final String roles;
    private final LongAdder calls = new LongAdder();
    private final LongAdder entities = new LongAdder();

    StorageTally(Kind kind, String roles) {
        this.kind = kind;
        this.roles = roles;
    }

    Kind kind() {
        return kind;
    }

    void add(int touched) {
        calls.increment();
        if (touched != 0) {
            entities.add(touched);
        }
    }

    Count count() {
        return new Count(calls.sum(), entities.sum());
    }

    void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("azuremail.storage.calls", calls, LongAdder::doubleValue)
                .description("Calls of the storage: transactions of an account")
                .tags(tags())
                .register(registry);
        if (kind.store() == Store.TABLE) {
            FunctionCounter.builder("azuremail.storage.entities", entities, LongAdder::doubleValue)
                    .description("Rows that calls of tables wrote or gave back")
                    .tags(tags())
                    .register(registry);
        }
    }

    private Tags tags() {
        return Tags.of(
                "roles", roles,
                "store", lower(kind.store()),
                "name", kind.name(),
                "operation", lower(kind.operation()),
                "outcome", lower(kind.outcome()));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
