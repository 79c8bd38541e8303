package org.azuremail.storage;

import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Outcome;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one port and, if there are counts, counts how they end; answers and exceptions pass unchanged. */
record PortCalls(Store store, @Nullable StorageCalls counts) {

    void make(Operation operation, String name, Runnable call) {
        make(operation, name, () -> {
            call.run();
            return true;
        });
    }

    /** A call that nothing refuses. */
    <T> T make(Operation operation, String name, Supplier<T> call) {
        return make(operation, name, call, answer -> true, answer -> 0);
    }

    <T> T make(Operation operation, String name, Supplier<T> call, Predicate<T> granted) {
        return make(operation, name, call, granted, answer -> 0);
    }

    <T> T make(Operation operation, String name, Supplier<T> call, Predicate<T> granted, ToIntFunction<T> entities) {
        T answer;
        try {
            answer = call.get();
        } catch (RuntimeException | Error e) {
            threw(operation, name, e);
            throw e;
        }
        answered(operation, name, granted.test(answer), entities.applyAsInt(answer));
        return answer;
    }

    void answered(Operation operation, String name, boolean granted, int entities) {
        count(operation, name, granted ? Outcome.OK : Outcome.REFUSED, entities);
    }

    /** A call that breaks a port's limits never left this process. */
    void threw(Operation operation, String name, Throwable thrown) {
        if (!(thrown instanceof IllegalArgumentException)) {
            count(operation, name, Outcome.FAILED, 0);
        }
    }

    private void count(Operation operation, String name, Outcome outcome, int entities) {
        if (counts != null) {
            counts.count(store, name, operation, outcome, entities);
        }
    }
}
