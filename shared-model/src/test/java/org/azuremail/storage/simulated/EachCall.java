package org.azuremail.storage.simulated;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;

/** An interceptor between a storage and its users. */
@FunctionalInterface
public interface EachCall {

    /** Executes the call, each time anew. */
    interface Action {
        Object done() throws Throwable;
    }

    /**
     * Runs in place of a call.
     *
     * @param method an abstract method of a port
     * @param arguments the arguments, beginning with the table, queue or container; changes to the array affect the
     *     call
     */
    Object around(Method method, Object[] arguments, Action call) throws Throwable;

    default Storage of(Storage real) {
        return new Storage(
                port(TableStore.class, real.tables()),
                port(QueueStore.class, real.queues()),
                port(BlobStore.class, real.blobs()));
    }

    private <P> P port(Class<P> port, P real) {
        InvocationHandler handler = (proxy, method, arguments) -> method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : around(method, arguments, () -> invoke(method, real, arguments));
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
    }

    private static Object invoke(Method method, Object real, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
