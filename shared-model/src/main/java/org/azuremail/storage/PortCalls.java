package org.azuremail.storage;

import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Outcome;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one port and counts how they end, where somebody counts; answers and throws pass as they are. */
record PortCalls(Store store, @Nullable StorageCalls calls) {

    /** A call that nothing refuses. */
    <T> T make(Operation operation, String name, Supplier<T> call) {
        return make(operation, name, call, answer -> true);
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

    void make(Operation operation, String name, Runnable call) {
        make(operation, name, () -> {
            call.run();
            return true;
        });
    }

    void answered(Operation operation, String name, boolean granted, int entities) {
        count(name, operation, granted ? Outcome.OK : Outcome.REFUSED, entities);
    }

    /** A call that breaks a port's limits never left this process. */
    void threw(Operation operation, String name, Throwable thrown) {
        if (!(thrown instanceof IllegalArgumentException)) {
            count(name, operation, Outcome.FAILED, 0);
        }
    }

    private void count(String name, Operation operation, Outcome outcome, int entities) {
        if (calls != null) {
            calls.count(store, name, operation, outcome, entities);
        }
    }
}
