package org.azuremail.bench;

import java.io.IOException;
import java.util.function.IntFunction;

/**
 * Many clients that each ask a list to take people, one after the other.
 *
 * @param cpu seconds of the service's CPU
 * @param millis how long each request took, sorted
 */
record Crowd(double seconds, double cpu, double[] millis) {

    static final int CLIENTS = 16;

    /** @param requests of all clients together; each answer must have this status */
    static Crowd subscribe(
            Service service, String list, String key, int requests, IntFunction<String> email, int status)
            throws Exception {
        long[] nanos = new long[requests];
        double before = service.jvm().cpuSeconds();
        double perSecond = Raw.together(requests, CLIENTS, (from, to) -> {
            try (Client client = new Client(service.port())) {
                for (int number = from; number < to; number++) {
                    long began = System.nanoTime();
                    require(client.subscribe(list, email.apply(number), key), status);
                    nanos[number - 1] = System.nanoTime() - began;
                }
            }
        });
        double cpu = service.jvm().cpuSeconds() - before;
        return new Crowd(requests / perSecond, cpu, Spread.sorted(nanos));
    }

    private static void require(int answered, int status) throws IOException {
        if (answered != status) {
            throw new IOException("answered " + answered + " instead of " + status);
        }
    }

    double perSecond() {
        return millis.length / seconds;
    }

    /** Beside requests, a machine that others use says little of how long they take, and much of what they cost. */
    double cpuPer10k() {
        return cpu * 10_000 / millis.length;
    }

    double millis(double share) {
        return Spread.quantile(millis, share);
    }
}
